package network

import (
	"strconv"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/trace"
)

// stream is a client's open watch. Its events arrive in the order of their revisions, as over one connection, with the
// lag that the stream has when they are written.
type stream struct {
	network *Network
	name    string
	about   *Stream
	object  trace.Object
	source  *apiserver.Stream
	unread  *unread
	// conversion takes the events from source if a webhook may have to convert them; else nil.
	conversion *conversion

	mu sync.Mutex
	// stopped means that nothing is delivered any more.
	stopped bool

	// The rest belongs to the engine's goroutine. last is when the newest event arrives, travelling are the events
	// under way, and queue are those that have arrived but wait for the end of a fault; both oldest first.
	last       time.Duration
	travelling []*arrival
	queue      []*arrival
	// until is when the server ends the watch, and expired that it has. bookmarks means that the client allows them.
	// sent is the newest revision that was sent, or from which the client watches.
	until     time.Duration
	expired   bool
	bookmarks bool
	sent      uint64
}

// arrival is a watch event that has arrived at a client.
type arrival struct {
	event watch.Event
	rv    uint64
	// end means that there is no event: the server has ended the stream.
	end bool
	// sent is when the server sent it.
	sent time.Duration
	// listed means that the event is part of the initial state of the stream.
	listed bool
	// rule holds the event until it ends, and notBefore until that time.
	rule      *fault.Rule
	notBefore time.Duration
	faultSeq  int64
}

// isUpkeep reports whether something that travels recurs whatever a simulation does.
func (a *arrival) isUpkeep() bool { return a.end || a.event.Type == watch.Bookmark }

// conversion is what a stream has whose events a webhook may have to convert. To take an event is then like a request that may be
// suspended:
//
//	write --> event waits --> begin, call of the webhook, end: the event is sent
//
// The events are taken one after the other, because a stream keeps their order.
type conversion struct {
	call *call
	// opened is the revision of the store when the watch was opened, and seq the record of the request.
	opened uint64
	seq    int64
	// listing means that the stream begins with the state of the store.
	listing bool
	// busy means that an event is being taken.
	busy bool
}

// newConversion is that of a request for a watch.
func newConversion(st *stream, c *call, revision uint64, seq int64) *conversion {
	key := "convert|" + st.name + "|" + c.request.Resource.Version + "|" + c.request.Namespace
	return &conversion{
		call: &call{request: c.request, key: key, ended: func() {}}, opened: revision, seq: seq, listing: st.about.listing,
	}
}

// actor is the client that watches.
func (st *stream) actor() string { return strings.SplitN(st.name, "/", 2)[0] }

func (st *stream) isOpen() bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	return !st.stopped
}

func (st *stream) isIdle() bool {
	return len(st.travelling) == 0 && len(st.queue) == 0 && (st.conversion == nil || !st.conversion.busy)
}

// isServing reports whether the server still sends events.
func (st *stream) isServing() bool { return st.isOpen() && !st.expired }

// deliver passes an event to the reflector.
func (st *stream) deliver(a *arrival) {
	if a.end {
		st.end()
		return
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.stopped {
		return
	}
	event, rv := a.event, a.rv
	written := st.network.written.of(rv)
	w := &trace.Watch{Stream: st.name, Type: string(event.Type), Object: st.object, RV: rv, Written: written.at}
	if accessor, err := meta.Accessor(event.Object); err == nil {
		w.Namespace, w.Name = accessor.GetNamespace(), accessor.GetName()
	}
	record := &trace.Record{
		Kind: trace.KindWatch, Actor: st.actor(), Cause: written.seq, Watch: w, FaultSeq: a.faultSeq,
		Background: strings.HasSuffix(st.name, "/leases") || strings.HasSuffix(st.name, "/events"),
	}
	if a.isUpkeep() {
		// No write and nobody's work is behind it, and it makes no handler run.
		record.Cause, record.Background, w.Written = 0, true, a.sent
	}
	seq := st.network.Recorder.Emit(record)
	if !a.isUpkeep() {
		st.network.Observer.Delivered(seq, event.Object)
	}
	st.network.delivered(&Delivery{
		Stream: st.about, Type: event.Type, Namespace: w.Namespace, Name: w.Name, Revision: rv, Listed: a.listed, Seq: seq,
	})
	st.unread.add(event)
}

// end tells the client that no more events come.
func (st *stream) end() {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.stopped = true
	st.unread.end()
}

// close ends the stream, as the end of its connection does.
func (st *stream) close() {
	st.mu.Lock()
	defer st.mu.Unlock()
	if !st.stopped {
		st.stopped = true
		st.source.Stop()
		st.unread.end()
	}
}

// ResultChan implements watch.Interface.
func (st *stream) ResultChan() <-chan watch.Event { return st.unread.channel }

// Stop implements watch.Interface.
func (st *stream) Stop() {
	st.mu.Lock()
	defer st.mu.Unlock()
	if !st.stopped {
		st.stopped = true
		st.source.Stop()
	}
	st.unread.drop()
}

// revisionOf is the resourceVersion of an event's object, 0 for an error.
func revisionOf(event watch.Event) uint64 {
	accessor, err := meta.Accessor(event.Object)
	if err != nil {
		return 0
	}
	rv, _ := strconv.ParseUint(accessor.GetResourceVersion(), 10, 64)
	return rv
}
