package docs_test

import (
	"bytes"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/tui/command"
)

// sampled is the command above the README's sample, and the sample.
var sampled = regexp.MustCompile(`(?m)^<!-- kubestep (run .*) -->\n\n((?:    .*\n)+)`)

// TestReadmeShowsARealRun looks for each line of the README's sample in what the command above it prints, in the same order.
func TestReadmeShowsARealRun(t *testing.T) {
	sample := sampled.FindStringSubmatch(readme(t))
	if sample == nil {
		t.Fatal("the README has no sample below a command")
	}
	var out, errs bytes.Buffer
	options := command.Options{In: strings.NewReader(""), Out: &out, Err: &errs}
	if code := command.Main(strings.Fields(sample[1]), options); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	var printed []string
	for line := range strings.Lines(out.String()) {
		printed = append(printed, strings.TrimRight(line, " \n"))
	}
	var shown []string
	for line := range strings.Lines(sample[2]) {
		shown = append(shown, strings.TrimRight(strings.TrimPrefix(line, "    "), " \n"))
	}
	at := slices.Index(printed, shown[0])
	if at < 0 || len(shown) < 5 || len(printed) < at+len(shown) {
		t.Fatalf("kubestep %s does not print the README's sample of %d lines, from %q on", sample[1], len(shown), shown[0])
	}
	for i, line := range shown {
		if line != printed[at+i] {
			t.Errorf("the README shows\n%s\nand kubestep %s prints there\n%s", line, sample[1], printed[at+i])
		}
	}
}

// shows are the commands whose output the README shows: those of pictures and samples, and those that it tells a reader to run first.
var shows = regexp.MustCompile(`(?m)^(?:<!-- kubestep|.*bin/kubestep) (?:run|export|screenshot|explain rollout) ([^ ]+)`)

// TestReadmeGivesNoAnswerAway fails on a picture or a sample of a lesson that asks questions: whoever has seen it knows the answers.
func TestReadmeGivesNoAnswerAway(t *testing.T) {
	found := 0
	for _, m := range shows.FindAllStringSubmatch(readme(t), -1) {
		name := strings.TrimSuffix(path.Base(m[1]), ".yaml")
		scenario, err := library.Load(name)
		if err != nil {
			continue // a file of the reader, or a flag
		}
		found++
		for _, step := range scenario.Spec.Steps {
			if ask, ok := step.Verb.(*verb.Ask); ok {
				t.Errorf("the README shows what happens in %s, which asks %q: show a scenario without questions", name, ask.Question)
				break
			}
		}
	}
	if found < 4 {
		t.Errorf("the README shows only %d runs of scenarios that come with kubestep", found)
	}
}

// TestReadmeScenarioRuns runs the README's example.
func TestReadmeScenarioRuns(t *testing.T) {
	block := regexp.MustCompile("(?s)```yaml\n(apiVersion.*?)```").FindStringSubmatch(readme(t))
	if block == nil {
		t.Fatal("the README has no scenario")
	}
	scenario, err := format.Parse("README.md", []byte(block[1]), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := runner.Run(scenario, runner.RunOptions{})
	if err != nil || outcome.Result != runner.Pass {
		t.Fatalf("%+v, %v", outcome, err)
	}
}

func readme(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
