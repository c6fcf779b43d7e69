package recording

import (
	"slices"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// Due is when a timer that ran at record seq adds a key to a work queue: a back-off, or a delay that a sync requested.
// It is false if no timer runs. A sync's request counts from the start of the sync.
func (r *Recording) Due(actor, key string, seq int64) (at time.Duration, ok bool) {
	seq = max(seq, r.SyncEnd(r.SyncOf(seq)))
	var set []int64
	if of := r.timers()[queued{actor, key}]; of != nil {
		set = of.seqs
	}
	for last := Latest(set, seq); last != 0; last = Previous(set, last) {
		for _, effect := range r.Effects(last) {
			// An expired timer is over, and so are those that were set before it.
			if r.Kind(effect) == trace.KindEnqueue {
				return r.At(effect), effect > seq
			}
		}
	}
	return 0, false
}

// queued is a key of a controller's work queue.
type queued struct{ actor, key string }

// timers are the records that set a timer for a key, each with the queue that it adds the key to.
type timers struct {
	seqs   []int64
	queues []string
}

// queue is that of one of the records.
func (t *timers) queue(seq int64) string {
	i, _ := slices.BinarySearch(t.seqs, seq)
	return t.queues[i]
}
