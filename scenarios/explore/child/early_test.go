package child_test

import (
	"flag"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

var earlySeeds = flag.Int64("early-seeds", 0, "compare runs of all shipped scenarios with so many seeds")

// earlyScenarios are those whose runs the test compares by default.
var earlyScenarios = []string{"rolling-update", "rollover", "stuck-rollout", "daemonset", "cronjob"}

// play makes the run of a job and returns its report, and its records without those of the checks that the end decides.
func play(t *testing.T, name string, job child.Job) (*child.Report, []string) {
	t.Helper()
	scenario, err := library.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := runner.Prepare(scenario)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	maker := child.Maker{Scenario: scenario, Plan: plan, Run: func(plan *runner.Plan, options runner.RunOptions) (*runner.Outcome, error) {
		lines = nil
		options.Sinks = append(options.Sinks, func(record *trace.Record, line []byte) {
			lines = append(lines, string(line))
		})
		return plan.Run(options)
	}}
	report, err := maker.Report(job)
	if err != nil {
		t.Fatal(err)
	}
	for i, failure := range report.Failures {
		if strings.HasPrefix(failure.Message, "false at the end") || strings.HasPrefix(failure.Message, "never true") {
			report.Failures[i].At = 0
		}
	}
	for len(lines) > 0 && strings.Contains(lines[len(lines)-1], `"kind":"check"`) {
		lines = lines[:len(lines)-1]
	}
	return report, lines
}

// TestEndingEarlyChangesNoVerdict holds that a run that ends early has the first records of the whole run and its verdict,
// and that some runs do end early.
func TestEndingEarlyChangesNoVerdict(t *testing.T) {
	names, seeds := earlyScenarios, int64(2)
	if *earlySeeds > 0 {
		files, err := library.Files()
		if err != nil {
			t.Fatal(err)
		}
		names, seeds = files, *earlySeeds
	}
	saved := 0
	for _, name := range names {
		for seed := range seeds {
			job := child.Job{Seed: seed + 1}
			for i, s := range space.All() {
				if seed == 0 || int64(i)%2 == seed%2 {
					job.Spaces = append(job.Spaces, s.Name)
				}
			}
			whole, all := play(t, name, job)
			job.EndEarly = true
			early, some := play(t, name, job)
			if len(some) < len(all) {
				saved++
			}
			if len(some) > len(all) || !slices.Equal(some, all[:len(some)]) {
				t.Errorf("%s, seed %d: %d records that are not the first of the other %d", name, job.Seed, len(some), len(all))
			}
			if diff := cmp.Diff(whole, early, cmpopts.IgnoreFields(child.Report{}, "Hash"), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s, seed %d, another verdict (-whole, +early):\n%s", name, job.Seed, diff)
			}
		}
	}
	if saved == 0 {
		t.Error("no run ended early")
	}
	t.Logf("%d runs ended early", saved)
}

// TestARestartAtATimeIsOver: a rule that ends watches, and so restarts their process, does that once. The run ends early, although nothing
// says how often the rule applies.
func TestARestartAtATimeIsOver(t *testing.T) {
	job := child.Job{Seed: 1, Faults: []format.FaultRule{{
		Name: "restart", Watch: &format.FaultWatch{Actor: "shared-informers", Resource: "pods"},
		At: notation.NewDuration(12 * time.Second), Crash: true, Restart: notation.NewDuration(500 * time.Millisecond),
	}}}
	whole, all := play(t, "rolling-update", job)
	job.EndEarly = true
	early, some := play(t, "rolling-update", job)
	if len(some) >= len(all) || !slices.Equal(some, all[:len(some)]) {
		t.Errorf("%d records that are not the first of the other %d", len(some), len(all))
	}
	if diff := cmp.Diff(whole, early, cmpopts.IgnoreFields(child.Report{}, "Hash"), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("another verdict (-whole, +early):\n%s", diff)
	}
}
