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

// SchedulingQueueAt is the queue of a kube-scheduler after record seq.
func (r *Recording) SchedulingQueueAt(actor string, seq int64) *SchedulingQueue {
	last := map[string]*trace.Record{}
	for _, of := range r.OfActor(actor) {
		if of > seq {
			break
		}
		switch record := r.Record(of); {
		case record.Enqueue != nil:
			last[record.Enqueue.Key] = record
		case record.Sync != nil && record.Sync.Phase == trace.PhaseStart:
			delete(last, record.Sync.Key)
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
