package recording

import "time"

// Due is when a timer that ran at record seq adds a key to a work queue: a back-off, or a delay that a sync requested.
// It is false if no timer runs. A sync's request counts from the start of the sync.
func (r *Recording) Due(actor, key string, seq int64) (at time.Duration, ok bool) {
	seq = max(seq, r.SyncEnd(r.SyncOf(seq)))
	timers := r.timers[queued{actor, key}]
	for last := Latest(timers, seq); last != 0; last = Previous(timers, last) {
		for _, effect := range r.Effects(last) {
			// An expired timer is over, and so are those that were set before it.
			if r.Record(effect).Enqueue != nil {
				return r.At(effect), effect > seq
			}
		}
	}
	return 0, false
}

// queued is a key of a controller's work queue.
type queued struct{ actor, key string }
