package scenariotest

import (
	"context"
	"fmt"
	"testing"

	"github.com/kubestep/kubestep/scenarios/child"
	"github.com/kubestep/kubestep/scenarios/format"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/shrink"
	"github.com/kubestep/kubestep/scenarios/verb"
)

// Explore plays a scenario with the seeds 1 to n, each of which is another order of things and, if the scenario
// has faults with a draw, another place for them. At the first seed that fails it ends the test and shows the
// smallest scenario that still fails:
//
//	scenariotest.Explore(t, "testdata/scale.yaml", 200, scenariotest.Controller("mine", mine.Run))
//
// kubestep explore does the same with all processors, and keeps what it finds.
func Explore(t testing.TB, scenario string, n int64, opts ...Option) {
	t.Helper()
	read, err := load(scenario)
	if err != nil {
		t.Fatal(explain(err))
	}
	for seed := range n {
		report, err := report(read, seed+1, opts)
		if err != nil {
			t.Fatal(explain(err))
		}
		if report.Wrong {
			t.Fatal(report.Message + "\nTry: " + report.Try)
		}
		if report.Result == runner.Pass {
			continue
		}
		failed := fmt.Sprintf("seed %d fails", report.Seed)
		if len(report.Failures) > 0 {
			failed += " " + report.Failures[0].Name + ": " + report.Failures[0].Message
		}
		small, err := small(t.Context(), read, report.Seed, opts)
		if err != nil {
			t.Fatal(fmt.Sprintf("%s\nno smaller scenario was found: %v", failed, err))
		}
		t.Fatal(fmt.Sprintf("%s\n%s%s", failed, small.Header(read.Path(), report.Seed), small.Text))
	}
}

// Shrink finds the smallest scenario that fails the same check with the same seed, as kubestep shrink does.
func Shrink(t testing.TB, scenario string, opts ...Option) *shrink.Result {
	t.Helper()
	read, err := load(scenario)
	if err != nil {
		t.Fatal(explain(err))
	}
	seed := read.Spec.Seed
	if chosen := optionsOf(opts).run.Seed; chosen != nil {
		seed = *chosen
	}
	result, err := small(t.Context(), read, seed, opts)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func small(ctx context.Context, scenario *format.Scenario, seed int64, opts []Option) (*shrink.Result, error) {
	s := shrink.Shrinker{
		File: scenario.Path(), Text: scenario.Source(), Seed: seed, Parallel: 1,
		Run: func(_ context.Context, text []byte, seed int64) (*child.Report, error) {
			candidate, err := format.Parse(scenario.Path(), text, verb.All)
			if err != nil {
				return child.Wrong(seed, err)
			}
			return report(candidate, seed, opts)
		},
	}
	return s.Shrink(ctx)
}

// report makes one run, and tells what failed.
func report(scenario *format.Scenario, seed int64, opts []Option) (*child.Report, error) {
	o := optionsOf(opts)
	o.run.Seed = &seed
	reporter := child.NewReporter(seed, scenario)
	outcome, err := run(scenario, o, reporter.Note)
	switch halt := child.HaltOf(err); {
	case halt != nil:
		return reporter.Halted(halt), nil
	case err != nil:
		return child.Wrong(seed, err)
	}
	return reporter.End(outcome, false), nil
}
