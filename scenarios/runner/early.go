package runner

import (
	"regexp"
	"slices"
	"sync/atomic"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	jobutil "k8s.io/kubernetes/pkg/controller/job/util"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network/fault"
)

// A run that has come to rest with every object in its desired state is mostly heartbeats until its horizon. With
// RunOptions.EndEarly, it ends as soon as nothing can change its verdict. Its records are then the first ones of the whole
// run, followed by those of the checks that are decided at the end.
//
// The verdict cannot change where all of this holds:
//
//   - All steps have been taken, no fault can act any more, and the simulation is at rest (Restless).
//   - Until the horizon, nothing is due but heartbeats and the upkeep of the server, and what a step waited for.
//   - Every object is in its desired state, and no controller waits to look at a key again.
//   - All controllers only react: they act on watch events and on timers of their work queues.
//   - No Job can reach its deadline, for which a handler, and not a sync, sets the timer.
//   - No check that is decided at the end reads the time.
//   - The horizon comes before what the server does by itself: Events expire after an hour.

const (
	// earlyHorizon is the longest horizon of a run that may end early: an hour, after which Events expire.
	earlyHorizon = time.Hour
	// earlyPeriod is how often a run looks whether it may end.
	earlyPeriod = 5 * time.Second
)

// ending decides whether a run may end before its horizon.
type ending struct {
	// possible is false if the scenario does not allow it at any time, and next is when to look again.
	possible bool
	next     time.Duration
	// faults counts the faults that wait for their time or their condition, or for a node to recover.
	faults atomic.Int64
}

// readsTime is in a condition whose value depends on the time.
var readsTime = regexp.MustCompile(`\bnow\b`)

// mayEndEarly decides what the scenario alone decides.
func (r *run) mayEndEarly() bool {
	if r.scenario.Spec.Horizon.Duration > earlyHorizon || len(r.custom) > 0 {
		return false
	}
	for name, idle := range r.idle {
		if !idle && !controllers.Of(name).Reacts {
			return false
		}
	}
	return !slices.ContainsFunc(r.checks, func(c *check) bool { return readsTime.MatchString(c.condition.Text()) })
}

// endEarly ends the run if nothing can change its verdict. It runs on the engine's goroutine whenever the simulation is
// quiescent.
func (r *run) endEarly() {
	now := r.Now()
	if !r.ending.possible || now < r.ending.next || now-r.writes.last < restAfter {
		return
	}
	r.ending.next = now + earlyPeriod
	if r.isSettledForGood(now) {
		r.sim.Engine.Stop()
	}
}

// mayAct reports whether a rule may still be triggered. One that ends streams at its time has done so, and no later stream meets it.
func mayAct(rule *fault.Rule, now time.Duration) bool {
	if rule.CutsAtOnce() && now > rule.From {
		return false
	}
	return !rule.IsOver(now)
}

// isSettledForGood reports whether nothing can change the verdict.
func (r *run) isSettledForGood(now time.Duration) bool {
	if !r.steps.isDone() || r.ending.faults.Load() > 0 || r.Restless() != "" {
		return false
	}
	for _, rule := range r.sim.Faults() {
		if mayAct(rule, now) {
			return false
		}
	}
	routine := true
	r.sim.Engine.Scheduled(func(event *engine.Event, at time.Duration) bool {
		routine = at > r.scenario.Spec.Horizon.Duration || event.Class == engine.Routine
		return routine
	})
	if !routine {
		return false
	}
	for _, job := range r.List(schema.GroupResource{Group: "batch", Resource: "jobs"}, "") {
		if !jobutil.IsJobFinished(job.(*batchv1.Job)) {
			return false
		}
	}
	return r.invariants.IsContent()
}
