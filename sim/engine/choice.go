package engine

import (
	"bytes"
	"container/heap"
	"io"
	"slices"
	"time"
)

// OpenKind is what happens with an event that may come before or after others.
type OpenKind string

const (
	// OpenRequest is the arrival of a request at the API server, which executes it.
	OpenRequest OpenKind = "request"
	// OpenAnswer is the arrival of the response at the client that sent the request.
	OpenAnswer OpenKind = "answer"
	// OpenWatch is the arrival of the oldest watch event of a stream at its client.
	OpenWatch OpenKind = "watch"
	// OpenSync is the begin of the sync of a key that a worker has taken from its queue.
	OpenSync OpenKind = "sync"
	// OpenAct is an act of a component beside the controllers, such as a stage of a Pod on its node.
	OpenAct OpenKind = "act"
)

// Open is about an event whose place among those of its time is open.
type Open struct {
	Kind OpenKind
	// Name says whose event it is: the stream of a watch, or the client, the verb and the object of a request, or the
	// controller and the key of a sync.
	Name string
	// Write writes what the event brings, for those who compare states. May be nil.
	Write func(io.Writer)
}

// Chooser returns which of several events comes next, by its place. The engine calls it when the simulation is quiescent and two events or
// more are due whose order is open. 0 is the one that comes next if nobody chooses.
type Chooser func(open []*Event) int

// ChooseBy lets a Chooser decide orders from time zero on. The events of one time whose order is not open come first; it is open for
// events with an Open, and for those of components. Of several watch events of a stream, the oldest is
// the one that can come next, and of several requests that say the same, the first. Call it before Run.
func (e *Engine) ChooseBy(chooser Chooser) { e.chooser = chooser }

// next takes the event that comes next out of the heap. At least one is due.
func (e *Engine) next(now time.Duration) *Event {
	if e.chooser == nil || now < 0 {
		return heap.Pop(&e.events).(*Event)
	}
	var due []*Event
	for len(e.events) > 0 && e.events[0].at <= now {
		due = append(due, heap.Pop(&e.events).(*Event))
	}
	for _, event := range due {
		heap.Push(&e.events, event)
	}
	chosen := slices.IndexFunc(due, func(event *Event) bool { return !event.isOpen() })
	if chosen < 0 {
		chosen = e.choose(due)
	}
	heap.Remove(&e.events, slices.Index(e.events, due[chosen]))
	return due[chosen]
}

// choose asks the chooser, if there are at least two events that can come next.
func (e *Engine) choose(due []*Event) int {
	var open []*Event
	for _, event := range due {
		if !slices.ContainsFunc(open, event.saysTheSame) {
			open = append(open, event)
		}
	}
	if len(open) == 1 {
		return 0
	}
	return slices.Index(due, open[e.chooser(open)])
}

// isOpen reports whether the order of the event is open.
func (event *Event) isOpen() bool {
	return !event.Upkeep && (event.Open != nil || event.Class == Component)
}

// saysTheSame reports whether it makes no difference which of two events comes first. The arrivals of a stream each deliver its oldest
// event, and requests with the same key and body differ only in the goroutine that waits for the answer.
func (event *Event) saysTheSame(other *Event) bool {
	if event.Open == nil || other.Open == nil || event.Open.Kind != other.Open.Kind || event.Key != other.Key {
		return false
	}
	switch event.Open.Kind {
	case OpenWatch:
		return true
	case OpenRequest:
		return bytes.Equal(event.content(), other.content())
	}
	return false
}

// Asked is what a chooser knows of an event.
func (event *Event) Asked() Open {
	if event.Open == nil {
		return Open{Kind: OpenAct, Name: event.Key}
	}
	return *event.Open
}
