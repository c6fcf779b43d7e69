package network

import (
	"slices"

	"k8s.io/apimachinery/pkg/watch"

	"github.com/kubestep/kubestep/sim/network/fault"
)

// Stream describes a client's open watch.
type Stream struct {
	Actor string
	// Resource is the plural name, followed by a dot and the group unless that is core; Namespace is empty for all.
	Resource, Namespace string
	// From is the resourceVersion that the client already has. It is 0 for a watch that begins with the state: an ADDED
	// event for each existing object.
	From uint64
	// Selective means that the stream sends only objects that a name or a selector matches.
	Selective bool
	// Open reports whether the stream still delivers events. Idle reports whether the client has received all events:
	// none is under way, and no fault holds any.
	Open, Idle func() bool

	// listing means that the events collected are the initial state of the stream.
	listing bool
}

// Delivery is a watch event that has arrived at a client.
type Delivery struct {
	*Stream
	Type            watch.EventType
	Namespace, Name string
	Revision        uint64
	// Listed means that the event belongs to the initial state of the stream. These events are sorted by name.
	Listed bool
	// Seq is the number of the event's record.
	Seq int64
}

// streams are the open watches of all clients, and the functions that OnWatch and OnDelivery registered.
type streams struct {
	// all are in the order in which they were opened.
	all       []openStream
	watchers  []func(*Stream)
	receivers []func(*Delivery)
	// leftOut means that a record says what is left out.
	leftOut bool
}

// openStream is a watch to which fault rules apply.
type openStream interface {
	isOpen() bool
	// subject describes an event of the stream to the rules.
	subject(event watch.Event) fault.Subject
	// cut ends the stream and discards its waiting events.
	cut(rule *fault.Rule)
	// countHeld counts the events that a rule holds, and release releases them. The fault of their records is seq.
	countHeld(rule *fault.Rule) int
	release(rule *fault.Rule, seq int64)
	// close ends the stream, as the end of its connection does.
	close()
}

// OnWatch registers a function that is called for each watch that a client opens. It runs on the engine's goroutine.
func (s *streams) OnWatch(f func(*Stream)) { s.watchers = append(s.watchers, f) }

// OnDelivery registers a function that is called for each watch event when it arrives, right after its record. It runs
// on the engine's goroutine and must not block.
func (s *streams) OnDelivery(f func(*Delivery)) { s.receivers = append(s.receivers, f) }

// add adds a stream, and removes those that have ended.
func (s *streams) add(opened openStream) {
	s.all = slices.DeleteFunc(s.all, func(other openStream) bool { return !other.isOpen() })
	s.all = append(s.all, opened)
}

// closeStreams ends all streams. A watch without a context, as that of upstream's recycler of volumes
// (pkg/volume/util/recyclerclient), ends only with its connection.
func (s *streams) closeStreams() {
	for _, open := range s.all {
		open.close()
	}
}

// cutAll ends the streams to which a rule applies.
func (s *streams) cutAll(rule *fault.Rule) {
	for _, open := range slices.Clone(s.all) {
		if rule.Cuts(open.subject(watch.Event{})) {
			open.cut(rule)
		}
	}
}

// opened calls the registered functions for a watch that a client opens.
func (s *streams) opened(about *Stream) {
	for _, watched := range s.watchers {
		watched(about)
	}
}

// delivered calls the registered functions for an event that has arrived.
func (s *streams) delivered(d *Delivery) {
	for _, receive := range s.receivers {
		receive(d)
	}
}
