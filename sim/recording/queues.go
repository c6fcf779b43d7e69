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

// queues are the syncs of a recording, by their queues, keys and actors, and the timers that add keys.
type queues struct {
	// starts are the first records of all syncs, and spans their passages through the queues, in the same order.
	starts []int64
	spans  []span
	// of are the indexes of the spans of each queue. keys are the syncs of each key, and byActor those of each actor that are not in the
	// background, by their first records.
	of      map[queueOf][]int32
	keys    map[keyOf][]int64
	byActor map[string][]int64
	timers  map[queued]*timers
	// names are all queues, by their names.
	names func() []queueOf
}

func newQueues() *queues {
	return &queues{
		of: map[queueOf][]int32{}, keys: map[keyOf][]int64{}, byActor: map[string][]int64{}, timers: map[queued]*timers{},
	}
}

// sorted are all queues, by their names.
func (q *queues) sorted() []queueOf {
	return slices.SortedFunc(maps.Keys(q.of), func(a, b queueOf) int {
		return strings.Compare(a.actor+"/"+a.queue, b.actor+"/"+b.queue)
	})
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

// span is that of the sync that began with a record; nil if none did.
func (q *queues) span(start int64) *span {
	i, found := slices.BinarySearch(q.starts, start)
	if !found {
		return nil
	}
	return &q.spans[i]
}

// add adds the next record. kind is that of an earlier one.
func (q *queues) add(record *trace.Record, kind func(seq int64) trace.Kind) {
	if record.Timer != nil && record.Timer.Key != "" {
		q.set(record)
	}
	if record.Sync == nil {
		return
	}
	sync := record.Sync
	if sync.Phase != trace.PhaseStart {
		q.end(record)
		return
	}
	s := span{key: sync.Key, enqueued: record.Seq, start: record.Seq}
	if record.Cause > 0 && kind(record.Cause) == trace.KindEnqueue {
		s.enqueued = record.Cause
	}
	of := queueOf{record.Actor, sync.Queue}
	q.of[of] = append(q.of[of], int32(len(q.spans)))
	q.starts, q.spans = append(q.starts, record.Seq), append(q.spans, s)
	if sync.Key != "" {
		q.addKey(record, record.Seq)
	}
	if !record.Background {
		q.byActor[record.Actor] = append(q.byActor[record.Actor], record.Seq)
	}
}

// end adds the end of a sync.
func (q *queues) end(record *trace.Record) {
	s := q.span(record.Sync.Start)
	if s == nil {
		return
	}
	s.requeued = record.Sync.Requeued || record.Sync.Error != ""
	if record.Sync.Phase == trace.PhaseEnd {
		s.ended = record.Seq
	}
	if s.key == "" {
		s.key = record.Sync.Key
		q.addKey(record, s.start)
	}
}

// addKey adds a sync to those of its key, which are in the order in which they began. A sync whose key was not known then may come late.
func (q *queues) addKey(record *trace.Record, start int64) {
	of := keyOf{queueOf{record.Actor, record.Sync.Queue}, record.Sync.Key}
	at, _ := slices.BinarySearch(q.keys[of], start)
	q.keys[of] = slices.Insert(q.keys[of], at, start)
}

// set adds a timer.
func (q *queues) set(record *trace.Record) {
	of := queued{record.Actor, record.Timer.Key}
	set := q.timers[of]
	if set == nil {
		set = &timers{}
		q.timers[of] = set
	}
	set.seqs, set.queues = append(set.seqs, record.Seq), append(set.queues, record.Timer.Queue)
}

// synchronizations are the syncs and timers of all records.
func (r *Recording) synchronizations() *queues {
	r.need(&r.synced)
	return r.queues
}

func (r *Recording) span(start int64) *span     { return r.synchronizations().span(start) }
func (r *Recording) timers() map[queued]*timers { return r.synchronizations().timers }

// SyncsOf are the first records of the syncs of a key by an actor, in order.
func (r *Recording) SyncsOf(actor, queue, key string) []int64 {
	return r.synchronizations().keys[keyOf{queueOf{actor, queue}, key}]
}

// Starts are the first records of all syncs.
func (r *Recording) Starts() []int64 {
	return r.records.facts.seqs(func(f *fact) bool { return f.is&isStart != 0 })
}

// SyncKey is the key of the sync that began with record start. The first record of a sync does not always have it.
func (r *Recording) SyncKey(start int64) string {
	if s := r.span(start); s != nil {
		return s.key
	}
	return ""
}

// QueuesAt is the state of all queues that are used in the recording, by controller.
func (r *Recording) QueuesAt(seq int64) []QueueState {
	var states []QueueState
	queues := r.synchronizations()
	for _, of := range queues.names() {
		state := QueueState{Actor: of.actor, Queue: of.queue}
		retries := map[string]int{}
		for _, i := range queues.of[of] {
			switch s := &queues.spans[i]; {
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
	for timer, list := range r.timers() {
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
