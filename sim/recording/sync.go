package recording

import (
	"slices"
	"strconv"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// Sync is one sync of a controller: its cause, what it read and sent, and its result.
type Sync struct {
	// Start and End are its records; End is 0 while it has not ended.
	Start, End int64
	Actor, Key string
	// Trigger is the record that added the key to the queue, 0 if it is unknown.
	Trigger int64
	// Waited is how long the key was in the queue, Took how long the sync took.
	Waited, Took time.Duration
	Reads        []CacheRead
	Requests     []int64
	// Messages are the Kubernetes Events and the log lines of the sync.
	Messages []int64
	// Outcome is empty while the sync has not ended.
	Outcome, Error string
	// Back is the record with which the key returns to the queue because this sync requested it, 0 if it did not.
	Back int64
	// Requeued means that it requeued its key or failed, Stale that it did so because its cache did not have the
	// controller's own latest write.
	Requeued, Stale bool
	// Number is the position of this sync among the controller's syncs, of which there are Of.
	Number, Of int
}

// CacheRead is a read of a cache, compared with the store at the start of the sync.
type CacheRead struct {
	Name string
	// Cache is the version in the cache, "" for none; Items is what a list returned.
	Cache string
	Items string
	// Store is the version in the store, and Behind how many writes the cache had not received.
	Store  string
	Behind int
}

// Sync is the sync that record seq belongs to; nil if it belongs to none.
func (r *Recording) Sync(seq int64) *Sync {
	start := r.SyncOf(seq)
	record := r.Record(start)
	if record == nil {
		return nil
	}
	s := &Sync{
		Start: start, Actor: record.Actor, Key: record.Sync.Key, Waited: record.Sync.Waited, Trigger: r.trigger(start),
	}
	for _, effect := range r.Effects(start) {
		r.effect(s, effect)
	}
	s.Number, s.Of = r.numberOf(start)
	end := r.Record(r.SyncEnd(start))
	if end == nil {
		return s
	}
	s.End, s.Took, s.Outcome, s.Error = end.Seq, end.Sync.Duration, r.Row(start).Outcome, end.Sync.Error
	s.Requeued, s.Stale = end.Sync.Requeued || end.Sync.Error != "", end.Sync.Stale
	if s.Key == "" {
		s.Key = end.Sync.Key
	}
	for i := range end.Sync.Reads {
		s.Reads = append(s.Reads, r.cacheRead(&end.Sync.Reads[i], start))
	}
	return s
}

// SyncAt is the sync that record seq belongs to, or else the last one that began before it; nil before the first.
func (r *Recording) SyncAt(seq int64) *Sync {
	if s := r.Sync(seq); s != nil {
		return s
	}
	return r.Sync(Latest(r.Marks().Syncs, seq))
}

// effect adds a record that a sync caused.
func (r *Recording) effect(s *Sync, seq int64) {
	record := r.Record(seq)
	switch {
	case record.Request != nil && !record.Background:
		s.Requests = append(s.Requests, seq)
	case record.Event != nil, record.Log != nil:
		s.Messages = append(s.Messages, seq)
	case record.Enqueue != nil:
		s.Back = seq
	case record.Timer != nil:
		for _, later := range r.Effects(seq) {
			if r.Kind(later) == trace.KindEnqueue {
				s.Back = later
			}
		}
	}
}

// trigger is the first cause of a sync that is not an addition to a queue.
func (r *Recording) trigger(start int64) int64 {
	cause := r.Record(r.Record(start).Cause)
	for cause != nil && cause.Enqueue != nil {
		cause = r.Record(cause.Cause)
	}
	if cause == nil {
		return 0
	}
	return cause.Seq
}

// numberOf returns the position of a sync among those of its controller.
func (r *Recording) numberOf(start int64) (number, of int) {
	syncs := r.synchronizations().byActor[r.Actor(start)]
	number, found := slices.BinarySearch(syncs, start)
	if found {
		number++
	}
	return number, len(syncs)
}

// cacheRead compares a read with the store. A sync reads its caches before its first request, at the virtual time at which
// it began.
func (r *Recording) cacheRead(read *trace.Read, start int64) CacheRead {
	name := trace.Describe(&trace.Record{Watch: &trace.Watch{Object: read.Object}}).Object
	if read.Items != nil {
		return CacheRead{Name: name, Items: strconv.Itoa(*read.Items)}
	}
	object, _ := r.Caches.Store().Find(read.Object)
	out := CacheRead{Name: name, Cache: read.RV}
	at := r.VersionAt(object, start)
	if at < 0 {
		return out
	}
	rv, _ := strconv.ParseUint(read.RV, 10, 64)
	out.Behind = r.Caches.Store().behind(object, rv, at)
	if version := r.Versions(object)[at]; version.Gone {
		out.Store = "gone"
	} else {
		out.Store = strconv.FormatUint(version.RV, 10)
	}
	return out
}

// Stage is a part of a sync.
type Stage int

// The stages, in their order.
const (
	StageTrigger Stage = iota
	StageQueue
	StageRead
	StageDecide
	StageWrite
	StageDone
)

// Stage is the stage of a sync at a record.
func (s *Sync) Stage(seq int64) Stage {
	switch {
	case seq < s.Start:
		return StageTrigger
	case s.End != 0 && seq >= s.End:
		return StageDone
	case len(s.Requests) > 0 && seq >= s.Requests[0]:
		return StageWrite
	}
	return StageRead
}
