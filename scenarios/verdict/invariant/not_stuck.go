package invariant

import (
	"slices"
	"time"

	"github.com/kubestep/kubestep/scenarios/verdict/liveness"
	"github.com/kubestep/kubestep/sim/trace"
)

// NotStuck is the name of the invariant that makes a run stuck.
const NotStuck = "not-stuck"

var notStuck = Invariant{
	Name: NotStuck,
	Sentence: "When a run ends or a step begins, and the simulation is at rest, every object is in its desired state, or waits for " +
		"something that its controller cannot change; and no controller has dropped a key that failed five times in a row.",
	Forgives: "Objects that wait for a Pod, a node, a finalizer of others or a quota; objects whose controller does not run or " +
		"will retry; less than a minute after the last write or after a fault applied, and while a fault holds something. A fault that " +
		"may still apply, but that nothing has met for a minute, is no exception.",
	Upstream: "docs/reference/liveness.md lists what the objects of each kind want",
	watch:    func(r *Run) watcher { return &standstill{run: r, said: map[string]bool{}} },
}

// standstill looks for objects that are stuck: at the end, and before each step of the scenario, which may mend what came
// to a standstill.
type standstill struct {
	passive
	run    *Run
	looked bool
	// said has what was found, by controller and key.
	said map[string]bool
}

func (v *standstill) hasLooked() bool { return v.looked }

func (v *standstill) record(record *trace.Record) {
	if record.Kind == trace.KindAction && record.At > 0 {
		v.look(v.run.Judge())
	}
}

func (v *standstill) end() { v.look(v.run.atRest()) }

func (v *standstill) look(found []*liveness.Finding, rests bool) {
	if !rests {
		return
	}
	v.looked = true
	for _, finding := range found {
		if finding.Verdict == liveness.Stuck {
			v.report(finding.Controller, finding.Key(), v.run.Stuck(finding))
		}
	}
	// What kinds without a goal want is unknown, but not that their controller no longer tries.
	for _, key := range v.run.Requeues() {
		if key.Dropped {
			v.report(key.Controller, key.Key, &Stuck{Dropped: true, Key: &key})
		}
	}
}

// report says once that a key is stuck.
func (v *standstill) report(controller, key string, stuck *Stuck) {
	if id := controller + " " + key; !v.said[id] {
		v.said[id] = true
		v.run.breach(Breach{Message: stuck.String(), Stuck: stuck, Requeue: stuck.Key})
	}
}

// Unmet lists the objects that are not in their desired state at the end of the run, if the simulation is at rest.
func (r *Run) Unmet() []*liveness.Finding {
	found, _ := r.atRest()
	return found
}

// Rests reports whether the simulation is at rest at the end of the run.
func (r *Run) Rests() bool {
	_, rests := r.atRest()
	return rests
}

// Recovers reports whether a controller that runs waits to try again what a fault made fail, and has not done so for long.
func (r *Run) Recovers() bool {
	return slices.ContainsFunc(r.Requeues(), func(key Requeue) bool {
		return key.Failures > 0 && key.excused && !key.Dropped && r.Now()-duration(key.LastSeconds) <= backOffMax
	})
}

// Awaits lists the keys that controllers that run look at again at a time that they have asked for, and that is not over since the last
// change, which was at a given time.
func (r *Run) Awaits(settled time.Duration) []Await { return r.requeues.awaits(settled) }

// IsContent reports whether the simulation is at rest, every object is in its desired state, and no controller waits to look at
// a key again, or has dropped one. What a controller that does not run leaves undone does not count.
func (r *Run) IsContent() bool {
	found, rests := r.Judge()
	found = slices.DeleteFunc(found, func(f *liveness.Finding) bool { return f.Idle && !f.Goal.Always })
	return rests && len(found) == 0 && !r.requeues.isWaiting() && len(r.Requeues()) == 0
}

// IsAtRest reports whether the simulation is at rest: nothing is due, no fault acts, and those that did have not done so for a while.
// What a fault held, for example, arrives after its end. It must be called on the engine's goroutine.
func (r *Run) IsAtRest() bool {
	return r.Restless() == "" && (r.Now()-r.disturbed >= liveness.Patience || r.disturbed == 0)
}

// Judge compares all objects with what they want, if the simulation is at rest. It must be called on the engine's goroutine.
func (r *Run) Judge() (found []*liveness.Finding, rests bool) {
	if !r.IsAtRest() {
		return nil, false
	}
	found = liveness.Find(r)
	for _, finding := range found {
		r.judge(finding)
	}
	return found, true
}

// judge finds the verdict about an object that is not in its desired state, while the simulation is at rest.
func (r *Run) judge(f *liveness.Finding) {
	if f.Idle && f.Waits() {
		f.For = f.Controller + ", which does not run; and for " + f.For
	}
	p := liveness.Prospect{Unable: f.Idle, Lasts: liveness.Patience}
	if !f.Since.IsZero() {
		p.Lasts = r.Date().Sub(f.Since)
	}
	turns := r.requeues.of(f.Controller, f.Key())
	if turns != nil {
		since := r.Now() - p.Lasts
		p.Idle = r.Now() - turns.last
		p.Again, p.Failed, p.Nothing = turns.pending, turns.failures > 0, turns.nothing && (f.Since.IsZero() || turns.last >= since)
		if turns.pending && turns.denied {
			f.Denied(turns.err)
		}
	}
	f.Verdict = f.Judge(p)
	switch {
	case f.Verdict == liveness.Working && p.Failed:
		f.For = "the next retry of " + f.Controller
	case f.Verdict == liveness.Working:
		f.For = "the next look of " + f.Controller
	}
}
