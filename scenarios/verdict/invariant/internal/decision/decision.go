package decision

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/scenarios/verdict/invariant/internal/knowledge"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

// Rule is an invariant about the decisions of a controller.
type Rule struct {
	// Name, Sentence, Forgives and Upstream are those of the invariant.
	Name, Sentence, Forgives, Upstream string
	// Watch begins to look at a run.
	Watch func(*Run) Watcher
}

// Run is a run that is watched.
type Run struct {
	World
	Views *knowledge.Views
	Pods  *knowledge.Pods
	// Broken is called with the record of the write that breaks the rule.
	Broken func(cause int64, message string)
}

// World are the objects and the clock of the run.
type World interface {
	// Now is the virtual time since time zero, and Date is it as a date.
	Now() time.Duration
	Date() time.Time
	Get(resource schema.GroupResource, namespace, name string) (runtime.Object, bool)
}

// Watcher is a rule at work.
type Watcher interface {
	// Record is called for each record, before the writes of a request are applied.
	Record(*trace.Record)
	// Change is called for each write, after all writes of its request were applied.
	Change(*Change)
	// HasLooked reports whether there was anything to look at.
	HasLooked() bool
}

// Change is a write, together with the record of its request.
type Change struct {
	network.Change
	By *trace.Record
}

// isBy reports whether a controller has sent a request of its own for the write.
func (c *Change) isBy(controller string) bool { return c.By.Request != nil && isBy(c.By, controller) }

func isBy(record *trace.Record, controller string) bool {
	name, _ := trace.SplitActor(record.Actor)
	return name == controller
}

// look is what all watchers have.
type look struct {
	run    *Run
	looked bool
}

func (*look) Record(*trace.Record) {}
func (l *look) HasLooked() bool    { return l.looked }

// dateOf is a time as a date.
func (l *look) dateOf(at time.Duration) time.Time { return l.run.Date().Add(at - l.run.Now()) }

// pods is what the cache of Pods of the actor of a request held; known is false if that cannot be said.
func (l *look) pods(request *trace.Record) (s knowledge.Span, known bool) {
	s = l.run.Views.Of("pods", request)
	return s, l.run.Pods.Know(s)
}

// All lists the rules by name.
func All() []Rule {
	return []Rule{
		autoscalerReplicas, cronJobForbid, daemonSetMaxSurge, daemonSetMaxUnavailable, deploymentRecreate, jobBackOff,
		jobBackoffLimit, replicaSetDeletionOrder, statefulSetOrder, statefulSetPartition,
	}
}
