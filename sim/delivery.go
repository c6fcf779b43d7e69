package sim

import (
	"cmp"
	"slices"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/kubestep/kubestep/sim/apiserver"
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

// OnWatch registers a function that is called for each watch that a client opens. It runs on the engine's goroutine.
func (s *Simulation) OnWatch(f func(*Stream)) { s.watchers = append(s.watchers, f) }

// OnDelivery registers a function that is called for each watch event when it arrives, right after its record. It runs
// on the engine's goroutine and must not block.
func (s *Simulation) OnDelivery(f func(*Delivery)) { s.receivers = append(s.receivers, f) }

// describe returns the description of the stream that a request opened.
func (s *Simulation) describe(st *stream, req apiserver.Request) *Stream {
	about := &Stream{
		Actor: req.Actor, Resource: st.object.Resource, Namespace: req.Namespace, Open: st.open, Idle: st.idle,
		Selective: req.Name != "" || req.ListOptions.LabelSelector != "" || req.ListOptions.FieldSelector != "",
	}
	if about.listing = beginsWithState(req.ListOptions); !about.listing {
		about.From, _ = strconv.ParseUint(req.ListOptions.ResourceVersion, 10, 64)
		about.From = cmp.Or(about.From, s.Server.Revision())
	}
	for _, opened := range s.watchers {
		opened(about)
	}
	return about
}

func (st *stream) open() bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	return !st.stopped
}

func (st *stream) idle() bool {
	return len(st.travelling) == 0 && len(st.queue) == 0 && (st.conversion == nil || !st.conversion.busy)
}

// beginsWithState reports whether a watch begins with an ADDED event for each object, by the semantics of
// resourceVersion and sendInitialEvents in metav1.ListOptions.
func beginsWithState(options metav1.ListOptions) bool {
	if options.SendInitialEvents != nil {
		return *options.SendInitialEvents
	}
	return slices.Contains([]string{"", "0"}, options.ResourceVersion)
}

// delivered calls the registered functions for an event that has arrived.
func (s *Simulation) delivered(d *Delivery) {
	for _, receive := range s.receivers {
		receive(d)
	}
}
