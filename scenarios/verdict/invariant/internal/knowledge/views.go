package knowledge

import (
	"time"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Views knows how stale each informer's cache is: up to which revision it had seen its resource, at any moment.
//
// A controller reads its caches in a sync, and writes a little later. What it decided must be judged by what it
// saw: somewhere between the beginning of the sync and the moment at which it sent the request.
type Views struct {
	caches *recording.Caches
	// begun is when each sync began that has not ended, by the number of its record.
	begun map[int64]time.Duration
	// forgotten is when the caches last forgot what nobody asks for any more.
	forgotten time.Duration
}

// memory is for how long at least it is known what a cache held. No request is on its way for longer, unless a fault holds it for days.
const memory = 24 * time.Hour

// New returns Views before the first record.
func New() *Views {
	return &Views{caches: recording.NewRevisions(), begun: map[int64]time.Duration{}}
}

// Record is called for each record.
func (v *Views) Record(record *trace.Record) {
	v.caches.Add(record)
	if record.At-v.forgotten >= memory {
		v.forgotten = record.At
		v.forget(record.At - memory)
	}
	switch {
	case record.Sync != nil && record.Sync.Phase == trace.PhaseStart:
		v.begun[record.Seq] = record.At
	case record.Sync != nil:
		delete(v.begun, record.Sync.Start)
	}
}

// forget forgets what the caches held before a time, and before the syncs that have not ended.
func (v *Views) forget(before time.Duration) {
	for _, begun := range v.begun {
		before = min(before, begun)
	}
	v.caches.Forget(before)
}

// Span are the revisions that a decision may rest on, both included.
type Span struct{ From, To uint64 }

// With is the span of what both spans have, and what lies between them.
func (s Span) With(other Span) Span { return Span{min(s.From, other.From), max(s.To, other.To)} }

// Of returns the span of what an actor's cache of a resource held while it prepared a request. Without a cache
// that is known, everything up to now.
func (v *Views) Of(resource string, request *trace.Record) Span {
	cache := v.caches.Read(request.Actor, resource)
	if cache == nil {
		return Span{0, ^uint64(0)}
	}
	least, greatest := cache.Between(v.Times(request))
	return Span{least, greatest}
}

// Times are when the sync of a request began, and when the request was sent.
func (v *Views) Times(request *trace.Record) (begin, sent time.Duration) {
	sent = request.At
	if request.Request != nil {
		sent = request.Request.Sent
	}
	if begun, ok := v.begun[request.Cause]; ok {
		return begun, sent
	}
	return sent, sent
}
