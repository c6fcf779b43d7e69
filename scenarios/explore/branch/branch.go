// Package branch creates a scenario from another one by adding one step of the user, and finds where two runs diverge.
//
// A branch is an ordinary scenario: its parent's file with one step added, at a time. The step is a concurrent one: it is taken at its
// time, whatever the parent waits for. With the same seed, the branch runs exactly as its parent does until then, so that every later
// difference is due to that step, and a copy of the parent's process can become the branch (runner.RunOptions.Become).
package branch

import (
	"slices"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Add returns the scenario with steps that happen at a time of its run, of which rec tells when its own steps happened. A step that has a
// time of its own, which is later, happens then. The questions of the scenario are about its own run: after that time, the branch waits
// where they do, but asks nothing, and expects nothing of its steps either. It does not judge the answer of one that is open at that time
// (Open).
func Add(s *format.Scenario, rec *recording.Recording, at time.Duration, more ...format.Step) (*format.Scenario, error) {
	branched, err := reread(s)
	if err != nil {
		return nil, err
	}
	steps := branched.Spec.Steps
	next := Next(steps, Starts(s.Spec.Steps, rec), at)
	before := slices.Clone(steps[:next])
	if open := Open(s, rec, at); open >= 0 && open < next {
		before = slices.Concat(steps[:open], Untold(steps[open:next]))
	}
	branched.Spec.Steps, branched.Spec.Branches = append(before, Untold(steps[next:])...), nil
	for _, step := range more {
		if step.At == nil || step.At.Duration < at {
			step.At = &notation.Duration{Duration: max(at, 0)}
		}
		step.After, step.When, step.Concurrent = nil, "", true
		branched.Spec.Steps = append(branched.Spec.Steps, step)
	}
	return reread(branched)
}

// Open is the index of the step whose question is open at a time of a run, -1 if none is. A branch at that time has another past: it waits,
// but does not ask.
func Open(s *format.Scenario, rec *recording.Recording, at time.Duration) int {
	open := -1
	for record := range rec.Of(trace.KindAsk, trace.KindAnswer) {
		if record.At > at {
			break
		}
		switch {
		case record.Ask != nil && record.Ask.Step < len(s.Spec.Steps) && !s.Spec.Steps[record.Ask.Step].Concurrent:
			open = record.Ask.Step
		case record.Answer != nil && record.Answer.Step == open:
			open = -1
		}
	}
	return open
}

// Prepared returns the scenario of a branch that it prepares.
func Prepared(s *format.Scenario, rec *recording.Recording, b *format.Branch) (*format.Scenario, error) {
	return Add(s, rec, b.At.Duration, b.Steps...)
}

// Next is the first of the steps that are taken one after the other that has not begun at a time.
func Next(steps []format.Step, started map[int]time.Duration, at time.Duration) int {
	for i, st := range steps {
		if start, ok := started[i]; !st.Concurrent && (!ok || start > at) {
			return i
		}
	}
	return len(steps)
}

// reread makes a copy by way of the file that the scenario would be in, which also checks it.
func reread(s *format.Scenario) (*format.Scenario, error) {
	data, err := s.Encode()
	if err != nil {
		return nil, err
	}
	return format.Parse(s.Path(), data, verb.All)
}

// Starts are the times at which steps happened, by their index. A note's record does not tell its index, but
// notes happen in their order.
func Starts(steps []format.Step, rec *recording.Recording) map[int]time.Duration {
	var notes []int
	for i, st := range steps {
		if a, ok := st.Verb.(verb.Announcer); ok && a.Announce(i).Note != nil {
			notes = append(notes, i)
		}
	}
	started := map[int]time.Duration{}
	for record := range rec.Of(trace.KindAction, trace.KindAsk, trace.KindNote, trace.KindShow) {
		switch {
		case record.Action != nil:
			started[record.Action.Step] = record.At
		case record.Ask != nil:
			started[record.Ask.Step] = record.At
		case record.Show != nil:
			started[record.Show.Step] = record.At
		case record.Note != nil && len(notes) > 0:
			started[notes[0]], notes = record.At, notes[1:]
		}
	}
	return started
}

// Waits reports whether a step blocks those behind it.
func Waits(st format.Step) bool {
	blocker, ok := st.Verb.(verb.Blocker)
	return ok && blocker.Blocks()
}

// Untold leaves out what the scenario says and wants to hear about its own run. Where it waits, it still waits.
func Untold(steps []format.Step) []format.Step {
	var out []format.Step
	for _, st := range steps {
		if asks, ok := st.Verb.(verb.Questioner); ok {
			st.Verb = asks.Remainder()
			switch timed := st.At != nil || st.After != nil || st.When != ""; {
			case asks.Remainder() != nil:
			case !timed:
				continue
			default:
				st.Verb = verb.Placeholder("Here the scenario speaks of its own run.")
			}
		}
		out = append(out, st)
	}
	return out
}
