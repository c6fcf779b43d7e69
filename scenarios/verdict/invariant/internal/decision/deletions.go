package decision

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/scenarios/verdict/invariant/internal/knowledge"
	"github.com/kubestep/kubestep/sim/trace"
)

// deletions collects the deletions of Pods of each sync of a controller. A controller deletes several Pods at a time, in parallel, so that
// only all of them together say which ones it has chosen.
type deletions struct {
	controllers []string
	syncs       map[int64]*batch
}

// batch are the deletions of a sync.
type batch struct {
	// last is the last record of a deletion.
	last *trace.Record
	// pods are those that were deleted, and tried the names of those that the controller has tried to delete.
	pods  []deletedPod
	tried map[types.NamespacedName]bool
	// seen is what the cache of Pods held, and known reports whether that can be said. owners and nodes are what the caches of
	// DaemonSets and nodes held.
	seen, owners, nodes knowledge.Span
	known               bool
	// The controller decided between begin and end.
	begin, end time.Duration
}

// deletedPod is a Pod with the revision of its deletion.
type deletedPod struct {
	*knowledge.Pod
	rv uint64
}

// was reports whether a Pod that the controller deleted met a condition in all versions that its cache had before that.
func (b *batch) was(pod deletedPod, condition func(*knowledge.Version) bool) bool {
	return pod.Was(knowledge.Span{From: b.seen.From, To: max(b.seen.From, min(b.seen.To, pod.rv-1))}, condition)
}

func newDeletions(controllers ...string) deletions {
	return deletions{controllers, map[int64]*batch{}}
}

// of is the batch of a request that deletes a Pod, or nil.
func (d *deletions) of(record *trace.Record) *batch {
	r := record.Request
	if r == nil || r.Verb != "delete" || r.Resource != "pods" || r.Subresource != "" || record.Cause == 0 {
		return nil
	}
	for _, controller := range d.controllers {
		if isBy(record, controller) {
			b := d.syncs[record.Cause]
			if b == nil {
				b = &batch{tried: map[types.NamespacedName]bool{}, known: true}
				d.syncs[record.Cause] = b
			}
			return b
		}
	}
	return nil
}

// record takes a record, and returns the deletions of the sync that ends with it; nil if there are none.
func (d *deletions) record(record *trace.Record) *batch {
	if b := d.of(record); b != nil {
		b.tried[types.NamespacedName{Namespace: record.Request.Namespace, Name: record.Request.Name}] = true
		return nil
	}
	if record.Sync == nil || record.Sync.Phase != trace.PhaseEnd {
		return nil
	}
	b := d.syncs[record.Sync.Start]
	delete(d.syncs, record.Sync.Start)
	if b == nil || len(b.pods) == 0 || !b.known {
		return nil
	}
	return b
}

// change takes a write of a Pod.
func (d *deletions) change(l *look, c *Change, object *corev1.Pod) {
	b := d.of(c.By)
	pod := l.run.Pods.Get(object.UID)
	if b == nil || pod == nil {
		return
	}
	seen, known := l.pods(c.By)
	owners, nodes := l.run.Views.Of("daemonsets.apps", c.By), l.run.Views.Of("nodes", c.By)
	begin, end := l.run.Views.Times(c.By)
	if len(b.pods) > 0 {
		seen, owners, nodes = seen.With(b.seen), owners.With(b.owners), nodes.With(b.nodes)
		begin, end, known = min(begin, b.begin), max(end, b.end), known && b.known
	}
	b.pods, b.last, b.known = append(b.pods, deletedPod{pod, c.Revision}), c.By, known
	b.seen, b.owners, b.nodes, b.begin, b.end = seen, owners, nodes, begin, end
}
