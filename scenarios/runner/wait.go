package runner

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubectl/pkg/polymorphichelpers"

	"github.com/kubestep/kubestep/scenarios/language/expr"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

// pollPeriod is how often conditions are looked at while nothing is written: they may ask for the time.
const pollPeriod = time.Second

// met reports whether something holds, and what is missing otherwise. An error ends the wait.
type met func(r *run) (ok bool, missing string, err error)

// waiter is a step that waits. The engine's goroutine looks at its condition whenever the simulation is quiescent, so
// it sees every state that the store ever has.
type waiter struct {
	met     met
	missing string
	result  chan error
	// seen is how many writes there were at the last look; polled asks for a look without a write.
	seen   int
	polled bool
	// step is the step that waits, or aside, and until is the time at which it has waited in vain; 0 means never.
	step  int
	until time.Duration
}

// aside is what waits if it is not a step.
const aside = -1

// wait blocks a step, or what is aside, until a condition is met, or for at most timeout unless that is zero.
func (r *run) wait(ctx context.Context, step int, condition met, timeout time.Duration) error {
	w := &waiter{met: condition, result: make(chan error, 1), polled: true, step: step}
	r.sim.Engine.After(0, r.eventOf(w, "wait"), func() {
		r.waiters = append(r.waiters, w)
		r.poll(w)
	})
	if timeout > 0 {
		w.until = r.Now() + timeout
		// The timeout is an event, too, so that it cannot race with the condition.
		r.sim.Engine.As(engine.Routine).After(timeout, r.eventOf(w, "timeout"), func() {
			if r.forget(w) {
				w.result <- &verb.TimeoutError{After: timeout, Missing: w.missing}
			}
		})
	}
	select {
	case err := <-w.result:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// eventOf is the key of an event of a waiter. What waits beside others has keys of its own, so that their order does not depend on
// goroutines.
func (r *run) eventOf(w *waiter, what string) string {
	key := "scenario|" + what
	if w.step != aside && r.scenario.Spec.Steps[w.step].Concurrent {
		key += "|" + strconv.Itoa(w.step)
	}
	return key
}

// poll wakes the engine every second as long as w waits.
func (r *run) poll(w *waiter) {
	r.sim.Engine.As(engine.Routine).After(pollPeriod, r.eventOf(w, "poll"), func() {
		for _, other := range r.waiters {
			if other == w {
				w.polled = true
				r.poll(w)
				return
			}
		}
	})
}

// pollAll has every waiter look again.
func (r *run) pollAll() {
	for _, w := range r.waiters {
		w.polled = true
	}
}

// forget removes a waiter and reports whether it still waited.
func (r *run) forget(w *waiter) bool {
	for i, other := range r.waiters {
		if other == w {
			r.waiters = append(r.waiters[:i:i], r.waiters[i+1:]...)
			return true
		}
	}
	return false
}

// observe runs on the engine's goroutine whenever the simulation is quiescent.
func (r *run) observe() {
	r.lookFutures()
	for _, w := range append([]*waiter(nil), r.waiters...) {
		if w.seen == r.sim.State.Writes && !w.polled {
			continue
		}
		w.seen, w.polled = r.sim.State.Writes, false
		ok, missing, err := w.met(r)
		w.missing = missing
		if (ok || err != nil) && r.forget(w) {
			w.result <- err
		}
	}
	r.watchChecks()
	r.lookInvariants()
	r.endEarly()
	r.lookIdle()
	r.lookBranch()
}

// Now implements expr.World.
func (r *run) Now() time.Duration { return r.sim.Engine.Now() }

// Get implements expr.World.
func (r *run) Get(resource schema.GroupResource, namespace, name string) (runtime.Object, bool) {
	return r.sim.State.Get(resource, namespace, name)
}

// List implements expr.World.
func (r *run) List(resource schema.GroupResource, namespace string) []runtime.Object {
	return r.sim.State.List(resource, namespace)
}

// Resources implements invariant.World.
func (r *run) Resources() []schema.GroupResource { return r.sim.State.Resources() }

// Records implements expr.World.
func (r *run) Records() []*trace.Record { return r.records }

// conditionMet waits for an expression; an object that does not exist yet is not an error.
func conditionMet(condition *expr.Condition) met {
	return func(r *run) (bool, string, error) {
		result, err := r.eval(condition)
		var missing *expr.NotFoundError
		switch {
		case errors.As(err, &missing):
			return false, missing.Error(), nil
		case err != nil:
			return false, "", err
		case result.True:
			return true, "", nil
		}
		return false, r.explain(condition), nil
	}
}

// explain says what an expression that is not true saw.
func (r *run) explain(condition *expr.Condition) string {
	result, err := r.budgeted(condition, condition.Explain)
	switch {
	case err != nil:
		return err.Error()
	case result.Explanation == "":
		return condition.Text()
	}
	return result.Explanation
}

// waitFor understands what a field says to wait for: a condition, or another form of notation.ParseWait.
func (r *run) waitFor(path, what string) (met, error) {
	if condition := r.conditions[path]; condition != nil {
		return conditionMet(condition), nil
	}
	parsed, err := notation.ParseWait(r.scenario.Kinds(), what)
	if err != nil {
		return nil, r.scenario.Errorf(path, "rollout deployment/web", "%v", err)
	}
	switch {
	case parsed.Rollout != nil:
		return r.rolledOut(path, *parsed.Rollout)
	case parsed.Delete != nil:
		return deleted(*parsed.Delete), nil
	case parsed.Quiet > 0:
		return quiet(parsed.Quiet), nil
	}
	panic("runner: " + path + " is a condition that nobody compiled: " + what)
}

// rolledOut is kubectl rollout status.
func (r *run) rolledOut(path string, target notation.Target) (met, error) {
	kind := target.Kind()
	viewer, err := polymorphichelpers.StatusViewerFor(kind.GroupVersionKind().GroupKind())
	if err != nil {
		return nil, r.scenario.Errorf(path, "a CEL condition", "%v", err)
	}
	var seen runtime.Object
	var missing string
	return func(r *run) (bool, string, error) {
		obj, found := r.sim.State.Get(target.Kind().GroupResource(), target.Namespace, target.Name)
		if !found {
			return false, target.String() + " does not exist", nil
		}
		if obj == seen {
			return false, missing, nil
		}
		content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(withoutTemplate(obj))
		if err != nil {
			return false, "", err
		}
		u := &unstructured.Unstructured{Object: content}
		u.SetGroupVersionKind(kind.GroupVersionKind())
		message, done, err := viewer.Status(u, 0)
		if err != nil {
			return false, "", &verb.UnmetError{Message: err.Error()}
		}
		seen, missing = obj, strings.TrimSpace(message)
		return done, missing, nil
	}, nil
}

// withoutTemplate is a workload without the template of its Pods. A rollout is judged by the numbers in spec and status, and the template
// is most of what would be converted, after each write to the workload.
func withoutTemplate(obj runtime.Object) runtime.Object {
	switch workload := obj.(type) {
	case *appsv1.Deployment:
		short := *workload
		short.Spec.Template = corev1.PodTemplateSpec{}
		return &short
	case *appsv1.StatefulSet:
		short := *workload
		short.Spec.Template = corev1.PodTemplateSpec{}
		return &short
	case *appsv1.DaemonSet:
		short := *workload
		short.Spec.Template = corev1.PodTemplateSpec{}
		return &short
	}
	return obj
}

func deleted(target notation.Target) met {
	return func(r *run) (bool, string, error) {
		_, found := r.sim.State.Get(target.Kind().GroupResource(), target.Namespace, target.Name)
		return !found, target.String() + " still exists", nil
	}
}

// quiet waits until nothing was written for a while, heartbeats apart.
func quiet(span time.Duration) met {
	begun := false
	var begin time.Duration
	return func(r *run) (bool, string, error) {
		if !begun {
			begun, begin = true, r.Now()
		}
		missing := span - (r.Now() - max(begin, r.writes.last))
		if missing > 0 && missing < pollPeriod {
			// Sooner than the next poll.
			r.sim.Engine.After(missing, "scenario|quiet", r.pollAll)
		}
		return missing <= 0, "writes go on", nil
	}
}

// writeLog knows when the store last changed, heartbeats apart.
type writeLog struct {
	count int
	last  time.Duration
}

func (w *writeLog) note(world *sim.Simulation) func(network.Change) {
	return func(change network.Change) {
		if !change.Background {
			w.count++
			w.last = world.Engine.Now()
		}
	}
}
