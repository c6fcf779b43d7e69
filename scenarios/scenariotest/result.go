package scenariotest

import (
	"iter"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/shrink"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/scenariotest/internal/perturb"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Result is a run that is over.
type Result struct {
	Outcome Outcome

	recording *recording.Recording
}

// All yields the records of the trace.
func (r *Result) All() iter.Seq[*trace.Record] { return r.recording.All() }

// Text is the trace as kubestep run prints it.
func (r *Result) Text() string { return textOf(r.All()) }

// Outcome is how a run ended.
type Outcome struct {
	// Scenario is its name.
	Scenario string
	Seed     int64
	// Result is pass, fail or error.
	Result string
	// Virtual is the virtual time that passed.
	Virtual time.Duration
	// TraceHash is the SHA-256 of the trace: the same scenario and seed give the same one.
	TraceHash string
	// Checks are the results of the scenario's checks, and of the invariants that applied.
	Checks []Check
	// Warnings list faults that never applied, with the reason, and checks that tested nothing for a time.
	Warnings []string
	// Error is the reason if Result is error.
	Error string
}

// Check is the result of a check or of an invariant.
type Check struct {
	Name string
	// Passed is false if it failed; Message says what held, or what did not.
	Passed  bool
	Message string
	// Invariant means that it is a check of every run.
	Invariant bool
}

func outcomeOf(o *runner.Outcome) Outcome {
	outcome := Outcome{
		Scenario: o.Scenario, Seed: o.Seed, Result: o.Result, Virtual: time.Duration(o.VirtualSeconds * float64(time.Second)),
		TraceHash: o.TraceHash, Warnings: o.Warnings, Error: o.Error,
	}
	for _, c := range o.Checks {
		outcome.Checks = append(outcome.Checks, Check{
			Name: c.Name, Passed: c.Result == runner.Pass, Message: c.Message, Invariant: c.Invariant,
		})
	}
	return outcome
}

// Shrunk is the smallest scenario that still fails.
type Shrunk struct {
	// Text is the scenario, with its seed, which may differ from the given one.
	Text string
	Seed int64
	// Check is the check or invariant that fails, named as in Text, and Message says why.
	Check, Message string
	// Steps counts the steps of Text, and StepsBefore those of the given scenario.
	Steps, StepsBefore int
	// Runs counts the runs that it took.
	Runs int64
	// TraceHash is that of Text.
	TraceHash string
}

func shrunkOf(r *shrink.Result) *Shrunk {
	return &Shrunk{
		Text: string(r.Text), Seed: r.Seed, Check: r.Failure.Name, Message: r.Failure.Message, Steps: r.After.Steps,
		StepsBefore: r.Before.Steps, Runs: r.Runs, TraceHash: r.Hash,
	}
}

// Perturbed is what Perturb has found.
type Perturbed struct {
	// Runs counts the runs with faults, and Failed those that failed.
	Runs, Failed int
	// All are the things that are wrong.
	All []Finding
}

// Finding is one thing that is wrong.
type Finding struct {
	// Name is the check, invariant or verdict that failed, and Message what it says at the first place.
	Name, Message string
	// Places are those at which a fault shows it.
	Places []Place
}

// Place is where Perturb applies a fault.
type Place struct {
	// Pattern is the kind of fault, such as crash-after-write, and At is where it applies: after create of configmaps/hosts.
	Pattern, At string
}

// String is the pattern and where it applies.
func (p Place) String() string { return p.Pattern + " " + p.At }

func perturbedOf(findings *perturb.Findings) *Perturbed {
	found := &Perturbed{Runs: findings.Runs, Failed: findings.Failed}
	for _, finding := range findings.All {
		one := Finding{Name: finding.Name, Message: finding.Message}
		for _, plan := range finding.Plans {
			one.Places = append(one.Places, Place{Pattern: plan.Pattern, At: plan.Place})
		}
		found.All = append(found.All, one)
	}
	return found
}
