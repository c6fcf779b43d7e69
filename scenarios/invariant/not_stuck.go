package invariant

import (
	"fmt"

	"github.com/kubestep/kubestep/scenarios/liveness"
	"github.com/kubestep/kubestep/sim/trace"
)

var notStuck = Invariant{
	Name: "not-stuck",
	Sentence: "When a run ends and the simulation is at rest, every object is as it wants to be, or waits for something that its " +
		"controller cannot change; and no controller has dropped a key that failed five times in a row.",
	Forgives: "Objects that wait for a Pod, a node, a finalizer of others or a quota; objects whose controller does not run or " +
		"will retry; runs that end less than a minute after the last write, or while a fault acts.",
	Upstream: "docs/reference/liveness.md lists what the objects of each kind want",
	watch:    func(r *Run) watcher { return &standstill{run: r} },
}

// standstill looks for objects that are stuck.
type standstill struct {
	passive
	run    *Run
	looked bool
}

func (v *standstill) seen() bool { return v.looked }

func (v *standstill) end() {
	found, rests := v.run.atRest()
	if !rests {
		return
	}
	v.looked = true
	said := map[string]bool{}
	for _, finding := range found {
		if finding.Stuck() {
			v.run.broken(0, finding.String()+v.run.lastLook(finding))
			said[finding.Controller+" "+keyOf(finding.Object)] = true
		}
	}
	// What kinds without a goal want is unknown, but not that their controller no longer tries.
	for _, key := range v.run.Requeues() {
		if key.Dropped && !said[key.Controller+" "+key.Key] {
			v.run.broken(0, key.String())
		}
	}
}

// Unmet lists the objects that are not as they want to be at the end of the run, if the simulation is at rest.
func (r *Run) Unmet() []*liveness.Finding {
	found, _ := r.atRest()
	return found
}

// lookForUnmet compares all objects with what they want, if the simulation is at rest.
func (r *Run) lookForUnmet() (found []*liveness.Finding, rests bool) {
	if r.Restless() != "" {
		return nil, false
	}
	found = liveness.Find(r.World)
	for _, finding := range found {
		turns := r.requeues.of(finding.Controller, keyOf(finding.Object))
		if finding.For == "" && turns != nil && turns.pending && turns.failures > 0 {
			finding.For = "the next retry of " + finding.Controller
		}
	}
	return found, true
}

// keyOf is the key under which controllers queue an object.
func keyOf(o trace.Object) string {
	if o.Namespace == "" {
		return o.Name
	}
	return o.Namespace + "/" + o.Name
}

// lastLook says when a controller last looked at an object that is stuck, and what came of it.
func (r *Run) lastLook(f *liveness.Finding) string {
	turns := r.requeues.of(f.Controller, keyOf(f.Object))
	switch {
	case turns == nil:
		return "; nothing is queued for it"
	case turns.failures > 0:
		return fmt.Sprintf("; %s dropped it after %d failures in a row, the last at %s: %s", f.Controller, turns.failures,
			trace.Seconds(turns.last), turns.err)
	}
	return fmt.Sprintf("; %s last looked at it at %s, and nothing is queued for it", f.Controller, trace.Seconds(turns.last))
}
