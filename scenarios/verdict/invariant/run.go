package invariant

import (
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant/internal/decision"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant/internal/knowledge"
	"github.com/kubestep/kubestep/scenarios/verdict/liveness"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

// Run checks the invariants in one run. It belongs to the engine's goroutine.
type Run struct {
	World
	views    *knowledge.Views
	pods     *knowledge.Pods
	requeues *requeues
	kinds    defined
	// tainted has the date of the last change of the taints of each node.
	tainted map[string]time.Time

	// disturbed is when a fault applied, released what it held, or let a process start again, for the last time.
	disturbed time.Duration

	watched []*watched
	current *watched
	last    *trace.Record
	fresh   []Breach
	hot     []*Hot
	atRest  func() (found []*liveness.Finding, rests bool)
}

// watched is one invariant in a run.
type watched struct {
	watcher
	name     string
	breaches int
	first    Breach
}

// Breach is a violation of an invariant. Only the first one of a run is reported, since others tend to follow from it;
// all are counted.
type Breach struct {
	Invariant string
	Message   string
	// Cause is the record that violates it; 0 at the end of a run.
	Cause int64
	// Stuck is what Message says, for the invariant not-stuck, and Requeue is the key that it is about, for those about a key alone.
	Stuck   *Stuck
	Requeue *Requeue
	// Hot is what Message says, for a controller that does something without end.
	Hot *Hot
}

// Result is the result of one invariant.
type Result struct {
	Name string
	// Breaches is the number of violations, and First the first of them.
	Breaches int
	First    Breach
}

// NewRun starts checking all invariants except those in skip.
func NewRun(world World, skip []string) *Run {
	r := &Run{
		World: world, views: knowledge.New(), pods: knowledge.NewPods(), requeues: newRequeues(world), kinds: defined{world: world},
		tainted: map[string]time.Time{},
	}
	r.atRest = sync.OnceValues(r.Judge)
	for _, i := range All() {
		if !slices.Contains(skip, i.Name) {
			r.watched = append(r.watched, &watched{name: i.Name, watcher: i.watch(r)})
		}
	}
	return r
}

// Record is a trace.Sink: it is called for each record.
func (r *Run) Record(record *trace.Record, _ []byte) {
	r.last = record
	if record.Fault != nil {
		r.disturbed = record.At
	}
	r.views.Record(record)
	r.requeues.record(record)
	r.each(func(w watcher) { w.record(record) })
}

// Change is called for each write, after its record.
func (r *Run) Change(c network.Change) {
	if node, ok := c.Object.(*corev1.Node); ok {
		if before, ok := c.Previous.(*corev1.Node); !ok || !equality.Semantic.DeepEqual(before.Spec.Taints, node.Spec.Taints) {
			r.tainted[node.Name] = r.Date()
		}
	}
	r.kinds.change(c.Resource.GroupResource())
	if pod, ok := c.Object.(*corev1.Pod); ok {
		r.pods.Change(c.Op, c.Revision, pod)
	}
	change := &change{decision.Change{Change: c, By: r.last}}
	r.each(func(w watcher) { w.change(change) })
}

// Tainted implements liveness.Dated.
func (r *Run) Tainted(node string) time.Time { return r.tainted[node] }

// Opened is called for each watch that a client opens.
func (r *Run) Opened(stream *network.Stream) { r.each(func(w watcher) { w.opened(stream) }) }

// Delivered is called for each watch event, after its record.
func (r *Run) Delivered(d *network.Delivery) { r.each(func(w watcher) { w.delivered(d) }) }

// End ends the run.
func (r *Run) End() { r.each(func(w watcher) { w.end() }) }

func (r *Run) each(do func(watcher)) {
	for _, w := range r.watched {
		r.current = w
		do(w.watcher)
	}
}

// broken is what watchers call.
func (r *Run) broken(cause int64, message string) { r.breach(Breach{Cause: cause, Message: message}) }

// breach is broken, for a violation of which more is known than a message.
func (r *Run) breach(breach Breach) {
	if breach.Hot != nil {
		r.hot = append(r.hot, breach.Hot)
	}
	w := r.current
	w.breaches++
	if w.breaches > 1 {
		return
	}
	breach.Invariant = w.name
	w.first = breach
	r.fresh = append(r.fresh, breach)
}

// Breaches returns the violations since the last call.
func (r *Run) Breaches() []Breach {
	fresh := r.fresh
	r.fresh = nil
	return fresh
}

// Results lists the invariants that applied to the run.
func (r *Run) Results() []Result {
	var results []Result
	for _, w := range r.watched {
		if w.hasLooked() || w.breaches > 0 {
			results = append(results, Result{w.name, w.breaches, w.first})
		}
	}
	return results
}

// Requeues lists the keys that were still retried without success at the end of the run, most failures first.
func (r *Run) Requeues() []Requeue { return r.requeues.stuck() }

// Hot lists what controllers did without end, in the order in which it was found.
func (r *Run) Hot() []*Hot { return r.hot }

// isChosen reports whether a controller made a write by a request of its own.
func (r *Run) isChosen(c *change) bool {
	if c.By.Request == nil {
		return false
	}
	process, _ := r.Process(c.By.Actor)
	return process != ""
}

// isController reports whether an actor is a controller: not a user, kubelet or scheduler.
func (r *Run) isController(actor string) bool {
	process, _ := r.Process(actor)
	return process != "" && !isKubelet(actor) && !isScheduler(actor)
}

func isScheduler(actor string) bool {
	name, _ := trace.SplitActor(actor)
	return name == trace.SchedulerActor
}

// isKubelet reports whether an actor is a kubelet: that of kubestep, or that of upstream, which has the name of its node.
func isKubelet(actor string) bool {
	name, _ := trace.SplitActor(actor)
	return name == controllers.KubeletName
}
