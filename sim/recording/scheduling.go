package recording

import (
	"slices"
	"strings"

	"github.com/kubestep/kubestep/sim/trace"
)

// SchedulingQueue is the queue of a kube-scheduler at a record: the Pods in its three parts, each by its key and since when.
type SchedulingQueue struct {
	// Active are tried next. Backoff wait for the end of their back-off, and Unschedulable for an event that may help.
	Active, Backoff, Unschedulable []QueuedKey
}

// SchedulingQueueAt is the queue of a kube-scheduler after record seq. It decodes only the records of Pods that entered a part of the queue
// and were not taken from there.
func (r *Recording) SchedulingQueueAt(actor string, seq int64) *SchedulingQueue {
	last := map[string]*trace.Record{}
	for _, of := range r.OfActor(actor) {
		if of > seq {
			break
		}
		switch kind := r.Kind(of); {
		case kind == trace.KindEnqueue && !r.startsSync(of, seq):
			record := r.Record(of)
			last[record.Enqueue.Key] = record
		case kind == trace.KindSync && r.isStart(of) && len(last) > 0:
			delete(last, r.SyncKey(of))
		}
	}
	q := &SchedulingQueue{}
	parts := map[string]*[]QueuedKey{"active": &q.Active, "backoff": &q.Backoff, "unschedulable": &q.Unschedulable}
	for key, record := range last {
		namespace, name, _ := strings.Cut(key, "/")
		part := parts[record.Enqueue.Queue]
		if part != nil && r.Replay.ObjectAt(trace.Object{Resource: "pods", Namespace: namespace, Name: name}, seq) != nil {
			*part = append(*part, QueuedKey{Key: key, At: record.At})
		}
	}
	for _, part := range parts {
		slices.SortFunc(*part, func(a, b QueuedKey) int { return strings.Compare(a.Key, b.Key) })
	}
	return q
}

// startsSync reports whether a sync began up to record seq because of an addition to a queue.
func (r *Recording) startsSync(enqueued, seq int64) bool {
	return slices.ContainsFunc(r.Effects(enqueued), func(effect int64) bool { return effect <= seq && r.isStart(effect) })
}

// isStart reports whether a record is the start of a sync.
func (r *Recording) isStart(seq int64) bool { return r.records.facts.of(seq).is&isStart != 0 }
