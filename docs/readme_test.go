package docs_test

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/tui/command"
)

// TestReadmeShowsARealRun looks for each line of the README's sample in what the program prints.
func TestReadmeShowsARealRun(t *testing.T) {
	var out, errs bytes.Buffer
	options := command.Options{In: strings.NewReader(""), Out: &out, Err: &errs}
	if code := command.Main([]string{"run", "rolling-update", "--width", "128"}, options); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	printed := map[string]bool{}
	for _, line := range strings.Split(out.String(), "\n") {
		printed[strings.TrimRight(line, " ")] = true
	}
	sample := regexp.MustCompile(`(?m)^    ( +\d+\.\d{3}s .*)$`).FindAllStringSubmatch(readme(t), -1)
	if len(sample) < 5 {
		t.Fatalf("the README's sample has %d lines", len(sample))
	}
	for _, line := range sample {
		if !printed[strings.TrimRight(line[1], " ")] {
			t.Errorf("the README shows a line that kubestep run rolling-update --width 128 does not print:\n%s", line[1])
		}
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
