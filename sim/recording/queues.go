package recording

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// QueueState is a controller's work queue at a record.
type QueueState struct {
	Actor, Queue string
	// Waiting keys are in the queue, InWork are being synced, and Timers will add keys again.
	Waiting, InWork, Timers []QueuedKey
	// Syncs is how many syncs have ended so far, Requeued how many of them requeued their key or failed.
	Syncs, Requeued int
}

// QueuedKey is a key with the time since which, or at which, it is in that state.
type QueuedKey struct {
	Key string
	At  time.Duration
	// Retries is how many consecutive syncs of the key requeued it or failed, so far.
	Retries int
}

// span is a key's passage through a queue: the records of its addition, of the start and of the end of its sync.
type span struct {
	key                    string
	enqueued, start, ended int64
	requeued               bool
}

type queueOf struct{ actor, queue string }

// indexQueues computes the spans of all queues, once all records are known.
func (r *Recording) indexQueues() {
	r.queues = map[queueOf][]span{}
	for _, record := range r.Records {
		if record.Sync == nil || record.Sync.Phase != trace.PhaseStart {
			continue
		}
		s := span{key: record.Sync.Key, enqueued: record.Seq, start: record.Seq, ended: r.syncEnds[record.Seq]}
		if cause := r.Record(record.Cause); cause != nil && cause.Enqueue != nil {
			s.enqueued = cause.Seq
		}
		if end := r.Record(s.ended); end != nil {
			s.requeued = end.Sync.Requeued || end.Sync.Error != ""
			if s.key == "" {
				s.key = end.Sync.Key
			}
		}
		of := queueOf{record.Actor, record.Sync.Queue}
		r.queues[of] = append(r.queues[of], s)
	}
	r.queueNames = slices.SortedFunc(maps.Keys(r.queues), func(a, b queueOf) int {
		return strings.Compare(a.actor+"/"+a.queue, b.actor+"/"+b.queue)
	})
}

// QueuesAt is the state of all queues that are used in the recording, by controller.
func (r *Recording) QueuesAt(seq int64) []QueueState {
	var states []QueueState
	for _, of := range r.queueNames {
		state := QueueState{Actor: of.actor, Queue: of.queue}
		retries := map[string]int{}
		for _, s := range r.queues[of] {
			switch {
			case s.enqueued > seq:
			case s.start > seq:
				state.Waiting = append(state.Waiting, QueuedKey{s.key, r.At(s.enqueued), retries[s.key]})
			case s.ended == 0 || s.ended > seq:
				state.InWork = append(state.InWork, QueuedKey{s.key, r.At(s.start), retries[s.key]})
			case s.requeued:
				state.Syncs++
				state.Requeued++
				retries[s.key]++
			default:
				state.Syncs++
				delete(retries, s.key)
			}
		}
		state.Timers = r.timersOf(of, seq)
		for i := range state.Timers {
			state.Timers[i].Retries = retries[state.Timers[i].Key]
		}
		states = append(states, state)
	}
	return states
}

// timersOf are the keys that a timer will add to a queue.
func (r *Recording) timersOf(of queueOf, seq int64) []QueuedKey {
	var keys []QueuedKey
	for timer, list := range r.timers {
		if timer.actor != of.actor {
			continue
		}
		last := Latest(list, seq)
		if record := r.Record(last); record == nil || record.Timer.Queue != of.queue {
			continue
		}
		for _, effect := range r.Effects(last) {
			if r.Record(effect).Enqueue != nil && effect > seq {
				keys = append(keys, QueuedKey{Key: timer.key, At: r.At(effect)})
			}
		}
	}
	slices.SortFunc(keys, func(a, b QueuedKey) int { return strings.Compare(a.Key, b.Key) })
	return keys
}
