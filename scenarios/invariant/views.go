package invariant

import (
	"sort"
	"strconv"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// views knows how old everybody's picture of the world is: for each informer, up to which resourceVersion it had
// seen its resource, at any moment.
//
// A controller reads its caches in a sync, and writes a little later. What it decided must be judged by what it
// saw: somewhere between the beginning of the sync and the moment at which it sent the request.
type views struct {
	// informers holds the views of each actor and resource, oldest first.
	informers map[view][]look
	// begun is when each sync began that has not ended, by the number of its record.
	begun map[int64]time.Duration
}

// view is an informer: who watches what.
type view struct{ actor, resource string }

// look says that from an instant on a cache held the state of a revision.
type look struct {
	at time.Duration
	rv uint64
}

func newViews() *views {
	return &views{informers: map[view][]look{}, begun: map[int64]time.Duration{}}
}

func (v *views) record(record *trace.Record) {
	switch {
	case record.Sync != nil && record.Sync.Phase == trace.PhaseStart:
		v.begun[record.Seq] = record.At
	case record.Sync != nil:
		delete(v.begun, record.Sync.Start)
	case record.Watch != nil && record.Watch.RV > 0:
		v.saw(view{record.Actor, record.Watch.Resource}, look{record.At, record.Watch.RV})
	case record.Request != nil && record.Request.Verb == "list" && record.Request.Code == 200:
		rv, err := strconv.ParseUint(record.Request.RV, 10, 64)
		if err == nil && record.Cause == 0 {
			v.saw(view{record.Actor, record.Request.Resource}, look{record.At, rv})
		}
	}
}

func (v *views) saw(which view, l look) { v.informers[which] = append(v.informers[which], l) }

// span are the revisions that a decision may rest on, both included.
type span struct{ from, to uint64 }

// of returns the span of what an actor's cache of a resource held while it prepared a request. Without a cache
// that is known, everything up to now.
func (v *views) of(resource string, request *trace.Record) span {
	looks := v.informers[view{request.Actor, resource}]
	if looks == nil {
		_, suffix := trace.SplitActor(request.Actor)
		looks = v.informers[view{trace.InformerActor + suffix, resource}]
	}
	if looks == nil {
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
	// An old list takes a cache back.
	a, b := before(looks, begin), upTo(looks, sent)
	return span{min(a, b), max(a, b)}
}

// before is the view just before what arrived at an instant; a sync that begins then may come first.
func before(looks []look, at time.Duration) uint64 {
	i := sort.Search(len(looks), func(i int) bool { return looks[i].at >= at })
	return looks[max(0, i-1)].rv
}

// upTo is the view with all that arrived at an instant.
func upTo(looks []look, at time.Duration) uint64 {
	i := sort.Search(len(looks), func(i int) bool { return looks[i].at > at })
	return looks[max(0, i-1)].rv
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
