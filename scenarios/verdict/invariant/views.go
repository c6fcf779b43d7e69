package invariant

import (
	"time"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// views knows how stale each informer's cache is: up to which revision it had seen its resource, at any moment.
//
// A controller reads its caches in a sync, and writes a little later. What it decided must be judged by what it
// saw: somewhere between the beginning of the sync and the moment at which it sent the request.
type views struct {
	caches *recording.Caches
	// begun is when each sync began that has not ended, by the number of its record.
	begun map[int64]time.Duration
}

func newViews() *views {
	return &views{caches: recording.NewRevisions(), begun: map[int64]time.Duration{}}
}

func (v *views) record(record *trace.Record) {
	v.caches.Add(record)
	switch {
	case record.Sync != nil && record.Sync.Phase == trace.PhaseStart:
		v.begun[record.Seq] = record.At
	case record.Sync != nil:
		delete(v.begun, record.Sync.Start)
	}
}

// span are the revisions that a decision may rest on, both included.
type span struct{ from, to uint64 }

// of returns the span of what an actor's cache of a resource held while it prepared a request. Without a cache
// that is known, everything up to now.
func (v *views) of(resource string, request *trace.Record) span {
	cache := v.caches.Read(request.Actor, resource)
	if cache == nil {
		return span{0, ^uint64(0)}
	}
	sent := request.At
	if request.Request != nil {
		sent = request.Request.Sent
	}
	begin := sent
	if begun, ok := v.begun[request.Cause]; ok {
		begin = begun
	}
	least, greatest := cache.Between(begin, sent)
	return span{least, greatest}
}

// history are the values that something had, each from a revision on.
type history[T any] []struct {
	rv    uint64
	value T
}

func (h *history[T]) add(rv uint64, value T) {
	*h = append(*h, struct {
		rv    uint64
		value T
	}{rv, value})
}

// in lists the values of a span: the one that held at its beginning, and those that came in it.
func (h history[T]) in(s span) []T {
	var values []T
	for i := len(h) - 1; i >= 0; i-- {
		if h[i].rv > s.to && i > 0 {
			continue
		}
		values = append(values, h[i].value)
		if h[i].rv <= s.from {
			break
		}
	}
	return values
}

// until lists the values from the beginning of a span up to now.
func (h history[T]) until(s span) []T { return h.in(span{s.from, ^uint64(0)}) }
