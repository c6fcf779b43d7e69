package healthy_test

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
)

var seeds = flag.Int("seeds", 0, "how many `SEEDS` of all fault spaces to draw for each file; 0 draws one of one space for every fifth file")

// TestFaultsLeaveNoTrace draws faults for the files. When these are over, the objects are the same as without them: no run is diverged, and
// none is hot that is not as hot without them. A run whose checks or steps fail under faults is wrong anyway. ARGS="-seeds 20" draws many.
func TestFaultsLeaveNoTrace(t *testing.T) {
	var spaces []string
	for _, s := range space.All() {
		spaces = append(spaces, s.Name)
	}
	count := map[string]int{}
	for i, file := range files(t) {
		var jobs []child.Job
		for seed := range int64(*seeds) {
			for _, name := range spaces {
				jobs = append(jobs, child.Job{Seed: seed + 1, Spaces: []string{name}})
			}
			jobs = append(jobs, child.Job{Seed: seed + 1, Spaces: spaces})
		}
		if n := len(spaces); *seeds == 0 && i%n == 0 {
			jobs = []child.Job{{Seed: int64(i), Spaces: spaces[i/n%n : i/n%n+1]}}
		}
		if len(jobs) == 0 {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			maker := makerOf(t, file)
			for _, job := range jobs {
				job.Compare, job.SameEnd, job.EndEarly = true, true, true
				report, err := maker.Report(job)
				if err != nil {
					t.Fatal(err)
				}
				count[report.Result]++
				say := t.Logf
				switch report.Result {
				case runner.Diverged:
					say = t.Errorf
				case runner.Hot:
					if !report.Comparison.Hot {
						say = t.Errorf
					}
				case runner.Pass, runner.Fail:
					continue
				}
				var last string
				if n := len(report.Failures); n > 0 {
					last = report.Failures[n-1].Message
				}
				say("%s: --faults %s --seed %d: %s\n%s", report.Result, strings.Join(job.Spaces, ","), job.Seed, last,
					strings.Join(report.Faults, "\n"))
			}
		})
	}
	t.Log(count)
	if count[runner.Pass] == 0 {
		t.Error("no run passes")
	}
}

// makerOf makes runs of a file.
func makerOf(t *testing.T, file string) *child.Maker {
	t.Helper()
	scenario, err := format.Load(file, verb.All)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := runner.Prepare(scenario)
	if err != nil {
		t.Fatal(err)
	}
	return &child.Maker{Scenario: scenario, Plan: plan, Run: (*runner.Plan).Run}
}
