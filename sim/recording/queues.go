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

// keyOf is a key of a work queue.
type keyOf struct {
	queueOf
	key string
}

// indexSync adds the start or the end of a sync to the spans.
func (r *Recording) indexSync(record *trace.Record) {
	sync := record.Sync
	if sync.Phase == trace.PhaseStart {
		s := &span{key: sync.Key, enqueued: record.Seq, start: record.Seq}
		if record.Cause > 0 && r.Kind(record.Cause) == trace.KindEnqueue {
			s.enqueued = record.Cause
		}
		of := queueOf{record.Actor, sync.Queue}
		r.queues[of] = append(r.queues[of], s)
		if sync.Key != "" {
			r.indexKey(record, record.Seq)
		}
		if !record.Background {
			r.syncsBy[record.Actor] = append(r.syncsBy[record.Actor], record.Seq)
		}
		r.spans[record.Seq] = s
		r.starts = append(r.starts, record.Seq)
		return
	}
	if s := r.spans[sync.Start]; s != nil {
		s.ended, s.requeued = record.Seq, sync.Requeued || sync.Error != ""
		if s.key == "" {
			s.key = sync.Key
			r.indexKey(record, s.start)
		}
	}
}

// indexKey adds a sync to those of its key, which are in the order in which they began. A sync whose key was not known then may come late.
func (r *Recording) indexKey(record *trace.Record, start int64) {
	of := keyOf{queueOf{record.Actor, record.Sync.Queue}, record.Sync.Key}
	at, _ := slices.BinarySearch(r.keys[of], start)
	r.keys[of] = slices.Insert(r.keys[of], at, start)
}

// SyncsOf are the first records of the syncs of a key by an actor, in order.
func (r *Recording) SyncsOf(actor, queue, key string) []int64 {
	return r.keys[keyOf{queueOf{actor, queue}, key}]
}

// Starts are the first records of all syncs.
func (r *Recording) Starts() []int64 { return r.starts }

// SyncKey is the key of the sync that began with record start. The first record of a sync does not always have it.
func (r *Recording) SyncKey(start int64) string {
	if s := r.spans[start]; s != nil {
		return s.key
	}
	return ""
}

// nameQueues sorts the names of all queues, once all records are known.
func (r *Recording) nameQueues() {
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
		last := Latest(list.seqs, seq)
		if last == 0 || list.queue(last) != of.queue {
			continue
		}
		for _, effect := range r.Effects(last) {
			if r.Kind(effect) == trace.KindEnqueue && effect > seq {
				keys = append(keys, QueuedKey{Key: timer.key, At: r.At(effect)})
			}
		}
	}
	slices.SortFunc(keys, func(a, b QueuedKey) int { return strings.Compare(a.Key, b.Key) })
	return keys
}
