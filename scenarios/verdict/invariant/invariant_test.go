package invariant_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant"
	"github.com/kubestep/kubestep/sim/simtest/golden"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestEveryInvariantCanBreak plays the scenarios in testdata, each of which breaks the invariant that it is named after,
// and no other one. testdata/breaches.txt says how. What no scenario can break, the stories of testdata/watches.txt and those of the
// package decision do.
func TestEveryInvariantCanBreak(t *testing.T) {
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	broken := map[string]bool{}
	for _, file := range files {
		scenario, err := format.Load(file, verb.All)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		var told []string
		outcome, err := runner.Run(scenario, runner.RunOptions{Controllers: planted[name], Sinks: []trace.Sink{
			func(record *trace.Record, _ []byte) {
				if record.Check != nil && !record.Check.Passed {
					told = append(told, record.Check.Name)
				}
			},
		}})
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, check := range outcome.Checks {
			if check.Result != runner.Pass {
				broken[check.Name] = true
				fmt.Fprintf(&out, "%s\n  %s: %s\n", name, check.Name, check.Message)
				if check.Name != scenario.Metadata.Name || !slices.Equal(told, []string{check.Name}) {
					t.Errorf("%s breaks %s; the trace tells of %v", file, check.Name, told)
				}
			}
		}
		if outcome.Result != runner.Fail {
			t.Errorf("%s: %s", file, outcome.Result)
		}
	}
	stories, err := os.ReadFile("testdata/watches.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range invariant.Names() {
		if told, err := os.ReadFile("internal/decision/testdata/" + name + ".txt"); err == nil {
			stories = append(stories, told...)
		}
		if !broken[name] && !strings.Contains(string(stories), "\n"+name+": ") {
			t.Errorf("nothing breaks %s", name)
		}
	}
	golden.Compare(t, "testdata/breaches.txt", out.String())
}
