package shrink

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// late is a scenario of four hours, in which a step comes after three.
var late = strings.NewReplacer("horizon: 10m", "horizon: 4h", "after: 90s", "after: 3h").Replace(long)

// standstill is a simulation in which a scenario is stuck when stuck says so. ran is called for each run.
func standstill(
	stuck func(s *format.Scenario) bool, ran func(s *format.Scenario),
) func(context.Context, child.Job) (*child.Report, error) {
	return func(_ context.Context, job child.Job) (*child.Report, error) {
		s, err := format.Parse("long.yaml", []byte(job.Text), verb.All)
		if err != nil {
			return child.Wrong(job.Seed, err)
		}
		ran(s)
		report := &child.Report{Seed: job.Seed, Result: runner.Pass, Rests: true, Settled: 20 * time.Second}
		if stuck(s) {
			report.Result, report.Stuck, report.End = runner.Stuck, "deployments/two: no Pods", "stuck deployments/two: no Pods"
		}
		return report, nil
	}
}

// hasLateStep reports whether a step comes ten seconds or more after the one before it.
func hasLateStep(s *format.Scenario) bool {
	return slices.ContainsFunc(s.Spec.Steps, func(step format.Step) bool {
		return step.After != nil && step.After.Duration >= 10*time.Second
	})
}

// hasNote reports whether a scenario has a note.
func hasNote(s *format.Scenario, text string) bool {
	return slices.ContainsFunc(s.Spec.Steps, func(step format.Step) bool {
		note, ok := step.Verb.(*verb.Note)
		return ok && strings.Contains(note.Text, text)
	})
}

// TestALateStepComesSooner: the step after three hours is needed, and ten seconds are enough. Few runs are as long as the original.
func TestALateStepComesSooner(t *testing.T) {
	lengths := map[time.Duration]int{}
	s := Shrinker{File: "long.yaml", Text: []byte(late), Seed: 7, Run: standstill(
		func(s *format.Scenario) bool { return hasScaled(s) && hasLateStep(s) },
		func(s *format.Scenario) { lengths[s.Spec.Horizon.Duration]++ },
	)}
	result, err := s.Shrink(t.Context())
	if err != nil || result.After.Steps != 2 || result.After.Horizon > 2*time.Minute {
		t.Fatalf("%+v, %v\n%s", result.After, err, result.Text)
	}
	if whole := lengths[4*time.Hour]; whole > 40 || int64(2*whole) > result.Runs {
		t.Errorf("of %d runs, %d last four hours", result.Runs, whole)
	}
}

// TestTheEndIsCheckedAfterThePass: with a short horizon, the scenario is stuck without the note three, too, but with the original one it is
// not. The note must stay, and all else that is not needed must go.
func TestTheEndIsCheckedAfterThePass(t *testing.T) {
	stuck := func(s *format.Scenario) bool {
		return hasScaled(s) && (hasNote(s, "three") || s.Spec.Horizon.Duration < 10*time.Minute)
	}
	s := Shrinker{File: "long.yaml", Text: []byte(long), Seed: 7, Parallel: 2, Run: standstill(stuck, func(*format.Scenario) {})}
	result, err := s.Shrink(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if read, err := format.Parse("small.yaml", result.Text, verb.All); err != nil || !hasNote(read, "three") || result.After.Steps != 2 {
		t.Errorf("%v\n%s", err, result.Text)
	}
}

// TestInterruptedInAPass returns what is known to fail in the end: what the pass has left out is not.
func TestInterruptedInAPass(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stuck := func(s *format.Scenario) bool {
		return hasScaled(s) && (hasNote(s, "three") || s.Spec.Horizon.Duration < 10*time.Minute)
	}
	s := Shrinker{File: "long.yaml", Text: []byte(long), Seed: 7, Run: standstill(stuck, func(*format.Scenario) {})}
	s.Progress = func(p Progress) {
		if p.Size.Steps < 2 {
			cancel()
		}
	}
	result, err := s.Shrink(ctx)
	if err == nil || result == nil {
		t.Fatalf("%+v, %v", result, err)
	}
	if read, err := format.Parse("small.yaml", result.Text, verb.All); err != nil || !hasNote(read, "three") {
		t.Errorf("%v\n%s", err, result.Text)
	}
}
