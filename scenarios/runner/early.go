package runner

import (
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	jobutil "k8s.io/kubernetes/pkg/controller/job/util"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/observe/digest"
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
	// asks means that a condition asks what has happened, or for the time, and not only which objects there are.
	asks bool
	// faults counts the faults that wait for their time or their condition, or for a node to recover.
	faults atomic.Int64
}

// readsTime is in a condition whose value depends on the time.
var readsTime = regexp.MustCompile(`\bnow\b`)

// asksMore reports whether a condition asks what has happened, or for the time, and not only which objects there are.
func (r *run) asksMore() bool {
	for _, condition := range r.conditions {
		if condition.ReadsTrace() || readsTime.MatchString(condition.Text()) {
			return true
		}
	}
	return false
}

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

// A run is idle when nothing is under way: no request and no watch event, nothing is due but stages of Pods and heartbeats, and all caches
// have what the store has. What happens next is then decided by the objects, the steps and the checks, by when the next Pod is ready, and
// by what controllers keep in variables of their own.

// Idle is a moment at which a run is idle, after all of its faults.
type Idle struct {
	// Now is the virtual time.
	Now time.Duration
	// State stands for the objects, but for what differs from run to run without consequences (package likeness), for the steps that have
	// ended, and for what the checks have seen.
	State digest.Digest
	// Step is how many steps have ended of those that are taken one after the other.
	Step int
	// Waits says until when steps wait, by their indices.
	Waits map[int]time.Duration
}

// lookIdle tells RunOptions.OnIdle of a moment at which the run is idle, and ends the run if that wants it. It runs on the engine's
// goroutine whenever the simulation is quiescent.
func (r *run) lookIdle() {
	if r.onIdle == nil || r.Now() < 0 || r.failure != nil || r.sim.Engine.HasArrivals() || !r.isOver() || !r.isIdle() {
		return
	}
	idle := Idle{Now: r.Now(), Step: r.steps.next, Waits: map[int]time.Duration{}}
	if r.steps.ended {
		idle.Step = len(r.scenario.Spec.Steps)
	}
	for _, w := range r.waiters {
		if w.until > 0 {
			idle.Waits[w.step] = w.until
		}
	}
	seen := []any{idle.Step, r.steps.hasBegun(r.steps.next), len(r.waiters)}
	for _, c := range r.checks {
		seen = append(seen, c.begun, c.over, c.evaluated, c.decided, c.passed)
	}
	idle.State = r.likeness.Of(r.sim.State, seen...)
	if r.onIdle(idle) {
		r.hasReturned = true
		r.sim.Engine.Stop()
	}
}

// isOver reports whether no fault can act any more, and no step has a time of its own: a step that happens at a virtual time finds
// another state in a run that is late.
func (r *run) isOver() bool {
	if !r.ending.possible || r.ending.asks || r.ending.faults.Load() > 0 || len(r.steps.beside) > 0 {
		return false
	}
	for _, rule := range r.sim.Faults() {
		if mayAct(rule, r.Now()) || rule.Acts(r.Now(), 0) {
			return false
		}
	}
	for i := r.steps.next; i < len(r.scenario.Spec.Steps) && !r.steps.ended; i++ {
		if r.scenario.Spec.Steps[i].At != nil {
			return false
		}
	}
	return true
}

// kubeletStages is how the keys of events begin that are stages of Pods on their nodes.
const kubeletStages = "kubelet|"

// isIdle reports whether the run is idle.
func (r *run) isIdle() bool {
	idle := true
	r.sim.Engine.Scheduled(func(event *engine.Event, _ time.Duration) bool {
		idle = event.Class == engine.Routine || event.Class == engine.Component && strings.HasPrefix(event.Key, kubeletStages)
		return idle
	})
	return idle && r.sim.CachesAreCurrent()
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
