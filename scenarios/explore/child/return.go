package child

import (
	"slices"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant"
	"github.com/kubestep/kubestep/sim/observe/digest"
)

// Most faults are over after milliseconds, and the run is then as the run without faults again, but for times and for names that the server
// generates. For example, an update that was refused has been repeated, and 8 old and 5 new Pods are there, of which none is ready: so it
// was without the fault. From there on, nothing tells the two runs apart but what each draws, such as how long the next request takes. If
// something fails later, it may fail without the fault, too, with another seed. So the run has returned, and its verdict is known.
//
// What a controller keeps in variables of its own is not compared, such as the Pods that it expects. Where a fault leaves something there
// that matters later, and nothing at all in the objects and caches, the run counts as returned, and the failure is not found. TestReturning
// makes such runs to their ends.
//
// A run in which a check or an invariant has failed returns, too: it has failed, and ends with the objects with which the run without
// faults does. What is said of the end only, that an object is stuck or a controller is hot, is left to the end.
//
// These runs have not returned, whatever their states are:
//
//   - One in which a step has failed, an object is stuck, or a controller is hot.
//   - One that is late by more than lateMax. The verdict late is one minute at least.
//   - One in which a step waits that may wait in vain, if what remains takes twice as long as in the run without faults.
//   - One with a condition that asks what has happened, such as how many Pods were created, or for the time.
//   - One with a step still to come that happens at a virtual time, since it is late for that; and one that may not end early at all, since
//     controllers act at certain times (runner.RunOptions.EndEarly).

// lateMax is by how much a run that returns may be late.
const lateMax = 30 * time.Second

// alike are the states in which the run without faults was idle.
type alike struct {
	seed int64
	// last is when it was last in a state, and ended when a step, by its index, was over.
	last  map[digest.Digest]time.Duration
	ended map[int]time.Duration
}

// learnAlike makes the run without faults, and learns its states, unless they are known.
func (m *Maker) learnAlike(job Job) error {
	if m.alike != nil && m.alike.seed == job.Seed {
		return nil
	}
	known := &alike{seed: job.Seed, last: map[digest.Digest]time.Duration{}, ended: map[int]time.Duration{}}
	options := runner.RunOptions{Seed: &job.Seed, EndEarly: job.EndEarly, NoLines: true, OnIdle: func(idle runner.Idle) bool {
		known.note(idle)
		return false
	}}
	report, err := m.play(space.Drawn{}.Plan(m.Plan), NewReporter(job.Seed, m.Scenario), options, false)
	if err == nil && report.Result != runner.Pass {
		// Nothing returns to a run that fails.
		clear(known.last)
	}
	m.alike = known
	return err
}

// returns decides whether a run has returned, for runner.RunOptions.OnIdle.
func (m *Maker) returns(reporter *Reporter) func(runner.Idle) bool {
	return func(idle runner.Idle) bool {
		return reporter.course.IsFaulty() && !reporter.isJudgedAtEnd() && m.alike.has(idle)
	}
}

// isJudgedAtEnd reports whether the end of the run says more of what has failed so far. That an object is stuck, or a controller hot, is
// about the end. What a check or another invariant has seen is over, and the run has failed, whatever comes.
func (r *Reporter) isJudgedAtEnd() bool {
	return slices.ContainsFunc(r.report.Failures, func(f Failure) bool {
		return f.Name == invariant.NotStuck || f.Name == invariant.NoHotLoop
	})
}

// note notes a state of the run without faults.
func (a *alike) note(idle runner.Idle) {
	a.last[idle.State] = idle.Now
	for step := range idle.Step {
		if _, known := a.ended[step]; !known {
			a.ended[step] = idle.Now
		}
	}
}

// has reports whether a run has returned.
func (a *alike) has(idle runner.Idle) bool {
	then, known := a.last[idle.State]
	if !known || idle.Now-then > lateMax {
		return false
	}
	for step, until := range idle.Waits {
		ended, known := a.ended[step]
		if !known || idle.Now+2*max(ended-then, 0) >= until {
			return false
		}
	}
	return true
}
