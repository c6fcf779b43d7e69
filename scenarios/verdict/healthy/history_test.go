package healthy_test

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/runner"
)

var everyFile = flag.Bool("history", false, "compare each file with a run without its history, and not only every fifth")

// TestHistoryDoesNotMatter compares the files, at their end and at each rest before a step, with runs that create the wanted objects in an
// empty cluster.
// ARGS="-history" does so for all files.
func TestHistoryDoesNotMatter(t *testing.T) {
	const part = 5
	count := map[string]int{}
	for i, file := range files(t) {
		if i%part != 0 && !*everyFile {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			maker := makerOf(t, file)
			report, err := maker.Report(child.Job{Seed: maker.Scenario.Spec.Seed, History: true, EndEarly: true})
			switch {
			case err != nil:
				t.Fatal(err)
			case report.HistoryUndecided != "":
				t.Log("undecided: " + report.HistoryUndecided)
				count["undecided"]++
				return
			case report.Result == runner.Diverged:
				t.Errorf("diverged: %s\n  %s", report.Failures[len(report.Failures)-1].Message, strings.Join(report.HistoryEnds, "\n  "))
			}
			count[report.Result]++
			count["rests"] += report.HistoryRests
		})
	}
	t.Log(count)
	if count["pass"] <= count["undecided"] {
		t.Error("most files are not compared")
	}
}
