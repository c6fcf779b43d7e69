package runner

import (
	"bytes"
	"slices"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/trace"
)

// A future is one of spec.futures that begins when a condition is true, or, if that is nil, when there is a record.
type future struct {
	condition met
	record    int64
	choose    func() uint64
	// seen is how many writes there were at the last look.
	seen int
}

// prepareFutures makes the seeds of spec.futures decide what is drawn, each from its time on, or from the write on that makes its
// condition true, or from the event on that makes its record. last chooses the seed of the last one, unless it is nil.
func (r *run) prepareFutures(last func() (seed int64, wanted bool)) {
	futures := r.scenario.Spec.Futures
	r.asked = make([]bool, len(futures))
	for i, f := range futures {
		choose := func() uint64 {
			r.asked[i] = true
			if last == nil || i < len(futures)-1 {
				return uint64(f.Seed)
			}
			seed, wanted := last()
			if !wanted {
				r.sim.Engine.Stop()
				return r.sim.Seed()
			}
			return uint64(seed)
		}
		if condition := r.conditions[format.FuturePath(i)+".when"]; condition != nil {
			r.futures = append(r.futures, &future{condition: conditionMet(condition), choose: choose, seen: -1})
		} else if f.From != nil {
			r.sim.FutureAt(f.From.Duration, choose, r.began)
		} else if f.Record != nil {
			r.futures = append(r.futures, &future{record: *f.Record, choose: choose})
		}
	}
}

// unbegun are the seeds of the futures that the run has not come to.
func (r *run) unbegun() (seeds []int64) {
	for i, f := range r.scenario.Spec.Futures {
		if !r.asked[i] {
			seeds = append(seeds, f.Seed)
		}
	}
	return seeds
}

// began notes that a future has begun.
func (r *run) began(seed uint64) {
	r.begun = append(r.begun, BegunFuture{seconds(r.Now()), int64(seed)})
	r.sim.Recorder.Emit(&trace.Record{Kind: trace.KindFuture, Future: &trace.Future{Seed: int64(seed)}})
}

// lookFutures begins the futures whose conditions are true, or whose records have been made. It schedules nothing, so that a run without
// futures is the same until then.
func (r *run) lookFutures() {
	for i := 0; i < len(r.futures) && r.Now() >= 0; i++ {
		f := r.futures[i]
		if f.hasCome(r) {
			r.futures = slices.Delete(r.futures, i, i+1)
			i--
			r.sim.BeginFuture(f.choose(), r.began)
		}
	}
}

// hasCome reports whether a future begins.
func (f *future) hasCome(r *run) bool {
	if f.condition == nil {
		return r.sim.Recorder.Len() >= f.record
	}
	if f.seen == r.sim.State.Writes {
		return false
	}
	f.seen = r.sim.State.Writes
	ok, _, err := f.condition(r)
	return ok && err == nil
}

// A run can become that of another scenario while it happens: one with the same past, whose steps differ only from some time on
// (RunOptions.Become). From then on it does what the other run does, record by record, so that a copy of a process continues as a branch
// without its past being made again.

// become makes the run that of a plan from now on. The error says why the past of the two is not the same, or may not be.
func (r *run) become(plan *Plan) error {
	scenario := verb.Draw(plan.scenario, r.seed)
	other := &run{scenario: scenario, seed: r.seed, conditions: plan.fresh(), custom: r.custom}
	if err := r.hasPastOf(other); err != nil {
		return err
	}
	for path, condition := range r.conditions {
		// One that the run has read already knows what it was about.
		if own := other.conditions[path]; own != nil && own.Text() == condition.Text() {
			other.conditions[path] = condition
		}
	}
	r.scenario, r.conditions, r.points = scenario, other.conditions, verb.Points(scenario, r.seed)
	// In the other run, the event that is executed now is that of the first step at this time.
	first := true
	for i, st := range scenario.Spec.Steps {
		if st.Concurrent && st.At.Duration >= r.Now() && !r.steps.isBeside(i) {
			now := first && st.At.Duration == r.Now()
			first = first && !now
			r.startBeside(i, now)
		}
	}
	return nil
}

// differently is the error about a scenario that has another past.
func differently(s *format.Scenario, path string) error {
	return s.Errorf(path, "a run from the start", "the run has had another past already")
}

// hasPastOf compares what the past of a run depends on with another one that has not begun.
func (r *run) hasPastOf(other *run) error {
	mine, its := *r.scenario, *other.scenario
	mine.Spec.Steps, its.Spec.Steps, mine.Spec.Seed = nil, nil, r.seed
	mine.Spec.Branches, its.Spec.Branches = nil, nil // they are no part of the run
	switch {
	case !same(&mine, &its):
		return differently(other.scenario, "spec")
	case r.isUndisturbed() != other.isUndisturbed(), r.mayRest() != other.mayRest(),
		r.scenario.HasCustomResources() != other.scenario.HasCustomResources():
		return differently(other.scenario, "spec.steps")
	}
	steps := other.scenario.Spec.Steps
	for i, st := range r.scenario.Spec.Steps {
		begun, now := i <= r.steps.next || r.steps.ended, st
		if st.Concurrent {
			begun = true
			if st.At.Duration == r.Now() {
				return differently(other.scenario, format.StepPath(i))
			}
		} else if i == r.steps.next && i < len(steps) && !r.steps.ended && !r.steps.hasBegun(i) {
			// It still waits for its time.
			now.Verb, now.Fails, now.FieldManager = steps[i].Verb, steps[i].Fails, steps[i].FieldManager
		}
		if begun && (i >= len(steps) || !same(now, steps[i])) {
			return differently(other.scenario, format.StepPath(i))
		}
	}
	for i, st := range steps {
		isNew := i >= len(r.scenario.Spec.Steps) || !r.scenario.Spec.Steps[i].Concurrent
		if isNew && st.Concurrent && st.At.Duration < r.Now() || i >= len(r.scenario.Spec.Steps) && !st.Concurrent && r.steps.ended {
			return differently(other.scenario, source.Join(format.StepPath(i), "at"))
		}
	}
	return nil
}

// same reports whether two values are written in the same way in a scenario.
func same(a, b any) bool {
	one, errOne := format.EncodeYAML(a)
	two, errTwo := format.EncodeYAML(b)
	return errOne == nil && errTwo == nil && bytes.Equal(one, two)
}

// lookBranch asks whether the run becomes another one, now or later.
func (r *run) lookBranch() {
	if r.branch == nil || r.waits || r.Now() < 0 {
		return
	}
	plan, again := r.branch(r.Now())
	if again > r.Now() {
		r.waits = true
		r.sim.Engine.FirstAt(again, 1, func() {
			r.waits = false
			r.lookBranch()
		})
	}
	if plan == nil {
		return
	}
	if err := r.become(plan); err != nil {
		r.failure = err
		r.sim.Engine.Stop()
	}
}
