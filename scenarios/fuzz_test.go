package scenarios

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzLoad: whatever the file holds, the loader ends in a scenario that it can write and read
// again, or in errors that say something.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(smallest))
	for _, pattern := range []string{"testdata/load/*.txt", "testdata/verbs/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			for _, text := range seeds(f, file) {
				f.Add([]byte(text))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ParseWith("x.yaml", data, Options{CompileCEL: questionMarks})
		if err == nil {
			checkScenario(t, s)
			return
		}
		for _, e := range err.(ErrorList) {
			if e.Message == "" || e.Try == "" || e.Line < 0 || e.Column < 0 || e.File != "x.yaml" {
				t.Errorf("%+v in the errors of %q", e, data)
			}
		}
	})
}

func checkScenario(t *testing.T, s *Scenario) {
	text, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Parse("again.yaml", text); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	for i, step := range s.Spec.Steps {
		if step.Verb() == "" {
			t.Errorf("%s has no verb", StepPath(i))
		}
		if step.Patch != nil {
			if _, err := step.Patch.JSON(); err != nil {
				t.Error(err)
			}
		}
	}
}

// seeds are the inputs of a datadriven script as whole files, or an example of a verb as steps.
func seeds(f *testing.F, file string) []string {
	text, err := os.ReadFile(file)
	if err != nil {
		f.Fatal(err)
	}
	steps := strings.Replace(smallest, "spec: {title: Smallest, steps: []}",
		"spec:\n  title: X\n  steps:\n", 1)
	if filepath.Ext(file) == ".yaml" {
		return []string{steps + indented(string(text))}
	}
	var found []string
	for _, part := range strings.Split(string(text), "\n\n") {
		command, rest, _ := strings.Cut(part, "\n")
		input, _, _ := strings.Cut(rest, "\n----")
		switch word, _, _ := strings.Cut(command, " "); word {
		case "load":
			found = append(found, input)
		case "steps":
			found = append(found, steps+indented(input)+"\n")
		case "spec":
			found = append(found, strings.Replace(steps, "spec:\n", "spec:\n"+indented(input)+"\n", 1))
		}
	}
	return found
}
