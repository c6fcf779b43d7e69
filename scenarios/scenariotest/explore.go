package scenariotest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/shrink"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// Explore plays a scenario with the seeds 1 to n, each of which is another order of things and, if the scenario
// has faults with a draw, another place for them. At the first seed that fails it ends the test and shows the
// smallest scenario that still fails:
//
//	scenariotest.Explore(t, "testdata/scale.yaml", 200, scenariotest.Controller("mine", mine.Run))
//
// With Faults, the seeds draw faults from ready-made spaces, so that the scenario needs none. A run also fails if it ends
// with an object that is stuck, or settles much later than without its faults.
//
// kubestep explore does the same with all processors, and keeps what it finds.
func Explore(t testing.TB, scenario string, n int64, opts ...Option) {
	t.Helper()
	read, err := load(scenario, optionsOf(opts))
	if err != nil {
		t.Fatal(explain(err))
	}
	maker, err := makerOf(read, opts)
	if err != nil {
		t.Fatal(explain(err))
	}
	for seed := range n {
		job := child.Job{Seed: seed + 1, Spaces: optionsOf(opts).spaces, Compare: true}
		report, err := maker.Report(job)
		if err != nil {
			t.Fatal(explain(err))
		}
		if report.Wrong {
			t.Fatal(report.Message + "\nTry: " + report.Try)
		}
		if report.Result == runner.Pass {
			continue
		}
		failed := describe(report)
		small, err := small(t.Context(), maker, job, opts)
		if err != nil {
			t.Fatal(fmt.Sprintf("%s\nno smaller scenario was found: %v", failed, err))
		}
		t.Fatal(fmt.Sprintf("%s\n%s%s", failed, small.Header(read.Path(), report.Seed), small.Text))
	}
}

// describe says why a run failed, and what its seed drew.
func describe(report *child.Report) string {
	text := fmt.Sprintf("seed %d fails", report.Seed)
	switch {
	case report.Result == runner.Stuck:
		text = fmt.Sprintf("seed %d is stuck: %s", report.Seed, report.Stuck)
	case report.Result == runner.Hot:
		text = fmt.Sprintf("seed %d is hot: %s", report.Seed, report.Hot)
	case len(report.Failures) > 0:
		last := report.Failures[0]
		text += " " + last.Name + ": " + last.Message
		if last.Try != "" {
			text += "\nTry: " + last.Try
		}
	}
	return strings.Join(append([]string{text}, report.Faults...), "\n")
}

// Shrink finds the smallest scenario that fails the same check with the same seed, as kubestep shrink does.
func Shrink(t testing.TB, scenario string, opts ...Option) *Shrunk {
	t.Helper()
	read, err := load(scenario, optionsOf(opts))
	if err != nil {
		t.Fatal(explain(err))
	}
	seed := read.Spec.Seed
	if chosen := optionsOf(opts).run.Seed; chosen != nil {
		seed = *chosen
	}
	maker, err := makerOf(read, opts)
	if err != nil {
		t.Fatal(explain(err))
	}
	result, err := small(t.Context(), maker, child.Job{Seed: seed, Spaces: optionsOf(opts).spaces}, opts)
	if err != nil {
		t.Fatal(err)
	}
	return shrunkOf(result)
}

// small shrinks the run of a job.
func small(ctx context.Context, maker *child.Maker, job child.Job, opts []Option) (*shrink.Result, error) {
	text, err := maker.Text(job)
	if err != nil {
		return nil, err
	}
	return shrunk(ctx, maker.Scenario.Path(), text, job.Seed, opts, (*child.Maker).Report)
}

// shrunk finds the smallest scenario whose report says the same. report makes a run.
func shrunk(
	ctx context.Context, file string, text []byte, seed int64, opts []Option,
	report func(*child.Maker, child.Job) (*child.Report, error),
) (*shrink.Result, error) {
	run := func(_ context.Context, job child.Job) (*child.Report, error) {
		candidate, err := format.Parse(file, []byte(job.Text), verb.All)
		if err != nil {
			return child.Wrong(job.Seed, err)
		}
		maker, err := makerOf(candidate, opts)
		if err != nil {
			return child.Wrong(job.Seed, err)
		}
		return report(maker, job)
	}
	return (&shrink.Shrinker{File: file, Text: text, Seed: seed, Parallel: 1, Run: run}).Shrink(ctx)
}

// makerOf makes runs of a scenario.
func makerOf(scenario *format.Scenario, opts []Option) (*child.Maker, error) {
	o := optionsOf(opts)
	plan, err := runner.Prepare(scenario, slices.Sorted(maps.Keys(o.run.Controllers))...)
	if err != nil {
		return nil, err
	}
	return &child.Maker{Scenario: scenario, Plan: plan, Run: func(plan *runner.Plan, options runner.RunOptions) (*runner.Outcome, error) {
		options.Controllers = o.run.Controllers
		return run(scenario, o, func(how runner.RunOptions) (*runner.Outcome, error) {
			options.Progress = how.Progress
			return plan.Run(options)
		})
	}}, nil
}
