package place

import (
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/sim/trace"
)

// A controller learns of its own write twice: from the answer, and from the watch event of its informer. Both travel for milliseconds, each
// on its own way, so that either may be the first. A controller that counts on one order has a cache that does not know the object yet, or
// an expectation that it sets after the event that should meet it:
//
//	write executed ---> answer ------> the controller continues
//	      \------------------> watch event ---> its cache has the object
//
// Delaying the first of them until after the second changes their order, and nothing else that lasts.

// pairs are the writes and the events that tell of them.
type pairs struct {
	// writes are the writes that made one version of one object, and events those with that version, for each informer.
	writes map[version]*Write
	events map[seen]*Event
	// answers are the times of the answers, by the record of the request.
	answers map[int64]time.Duration
}

// version is one version of an object.
type version struct {
	resource string
	rv       uint64
}

// seen is a version that an informer receives.
type seen struct {
	informer string
	version
}

func newPairs() pairs {
	return pairs{map[version]*Write{}, map[seen]*Event{}, map[int64]time.Duration{}}
}

// wrote notes a write. One that writes several objects, or none, is no part of a pair.
func (p *pairs) wrote(w *Write, record *trace.Record) {
	if writes := record.Request.Writes; len(writes) == 1 && writes[0].Resource == w.Resource {
		w.seq, w.rv = record.Seq, writes[0].RV
		p.writes[version{w.Resource, w.rv}] = w
	}
}

// saw notes an event.
func (p *pairs) saw(e *Event) { p.events[seen{e.Actor, version{e.Resource, e.rv}}] = e }

// Answered notes when the client of a request has the answer. seq is the record of the request.
func (l *Look) Answered(seq int64, at time.Duration) { l.pairs.answers[seq] = at }

// pairOf are a write and the event that tells its controller of it, of which one is at a spot; ok is false if there is no such pair. apart
// is by how much the event comes after the answer, and negative if it comes before.
func (l *Look) pairOf(s spot) (w *Write, e *Event, apart time.Duration, ok bool) {
	switch {
	case s.write != nil:
		w = s.write
	case s.event != nil:
		w = l.pairs.writes[version{s.event.Resource, s.event.rv}]
	}
	if w == nil || w.rv == 0 {
		return nil, nil, 0, false
	}
	informer, watches := l.informerOf(w.Actor, w.Resource)
	e = l.pairs.events[seen{informer, version{w.Resource, w.rv}}]
	answered, known := l.pairs.answers[w.seq]
	if !watches || !known || e == nil || s.event != nil && s.event != e {
		return nil, nil, 0, false
	}
	return w, e, e.At - answered, true
}

// swap delays the first of an answer and an event until after the other.
func swap(l *Look, s spot) []format.FaultRule {
	_, _, apart, ok := l.pairOf(s)
	past := &notation.Delay{Min: beyond(apart), Max: beyond(apart)}
	switch {
	case ok && s.write != nil && apart > 0:
		return []format.FaultRule{with(s.rule(), func(rule *format.FaultRule) { rule.ResponseDelay = past })}
	case ok && s.event != nil && apart < 0:
		return []format.FaultRule{with(s.rule(), func(rule *format.FaultRule) { rule.Delay = past })}
	}
	return nil
}

// beyond is a whole number of milliseconds that is longer than a duration, forward or back.
func beyond(d time.Duration) time.Duration { return Rounded(d.Abs()) + time.Millisecond }
