package format_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
)

// FuzzLoad: whatever the file holds, the loader ends in a scenario that it can write and read
// again, or in errors that say something.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(smallest))
	files, err := filepath.Glob("testdata/load/*.txt")
	if err != nil || len(files) == 0 {
		f.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		for _, text := range seeds(f, file) {
			f.Add([]byte(text))
		}
	}
	for _, row := range verb.All {
		f.Add([]byte(exampleHead + indented(row.Example)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := format.Parse("x.yaml", data, verb.All)
		if err == nil {
			checkScenario(t, s)
			return
		}
		for _, e := range err.(source.ErrorList) {
			if e.Message == "" || e.Try == "" || e.Line < 0 || e.Column < 0 || e.File != "x.yaml" {
				t.Errorf("%+v in the errors of %q", e, data)
			}
		}
	})
}

func checkScenario(t *testing.T, s *format.Scenario) {
	text, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := format.Parse("again.yaml", text, verb.All); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	for i, step := range s.Spec.Steps {
		if step.Verb == nil {
			t.Errorf("%s has no verb", format.StepPath(i))
		}
		if patch, ok := step.Verb.(*verb.Patch); ok {
			if _, err := source.PatchJSON(patch.Patch); err != nil {
				t.Error(err)
			}
		}
	}
}

// seeds are the inputs of a datadriven script as whole files.
func seeds(f *testing.F, file string) []string {
	text, err := os.ReadFile(file)
	if err != nil {
		f.Fatal(err)
	}
	steps := strings.Replace(smallest, "spec: {title: Smallest, steps: []}",
		"spec:\n  title: X\n  steps:\n", 1)
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
