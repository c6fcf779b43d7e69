package sim

import (
	"strconv"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// stream is a client's open watch. Its events arrive in the order of their revisions, as over one connection, with the
// lag that the stream has when they are written.
type stream struct {
	sim    *Simulation
	name   string
	about  *Stream
	object trace.Object
	source *apiserver.Stream
	unread *unread
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

// openWatch executes a watch request.
func (s *Simulation) openWatch(c *call) (watch.Interface, error) {
	req := c.request
	st := &stream{
		sim: s, name: strings.Join([]string{req.Actor, req.Path()}, "/"),
		object: objectOf(req.Resource, req.Namespace, ""), unread: newUnread(), last: engine.Past,
	}
	// Events that wait from the start are announced before source is set.
	opened := false
	if c.refuses() {
		err := refusal(c.rule, req)
		record := s.requestRecord(c, nil, err)
		record.FaultSeq = c.faultSeq
		s.Recorder.Emit(record)
		return nil, err
	}
	var err error
	st.source, err = s.Server.OpenWatch(req, func() {
		if opened {
			st.collect()
		}
	})
	record := s.requestRecord(c, nil, err)
	record.Background = isBackground(req)
	seq := s.Recorder.Emit(record)
	if err != nil {
		return nil, err
	}
	opened = true
	// The client receives events after the response to its request.
	st.last = s.Engine.Now() + c.back
	st.until = s.Engine.Now() + s.timeout(req, c.reflector)
	st.bookmarks = req.ListOptions.AllowWatchBookmarks
	st.keepUp()
	st.about = s.describe(st, req)
	st.sent = st.about.From
	if s.Server.MayWait(req) {
		st.conversion = newConversion(st, c, s.Server.Revision(), seq)
	}
	s.faults.opened(st)
	st.source.OnEnd(func() { s.Engine.Schedule(&engine.Event{Key: "watch|" + st.name + "|ended", Run: st.expire}) })
	st.collect()
	st.about.listing = false
	return st, nil
}

// collect sends each waiting event.
func (st *stream) collect() {
	if st.conversion != nil {
		st.convertLater()
		return
	}
	for {
		event, ok := st.source.Next()
		if !ok {
			return
		}
		st.send(&arrival{event: event, rv: revision(event), listed: st.about.listing})
	}
}

// send assigns a time of arrival to an event. The scheduled arrivals of a stream are identical: whichever the engine
// runs first delivers the oldest event under way, so their order does not matter.
func (st *stream) send(a *arrival) {
	a.sent, a.notBefore = st.sim.Engine.Now(), engine.Past
	st.sent = max(st.sent, a.rv)
	st.travelling = append(st.travelling, a)
	st.sim.Engine.Schedule(&engine.Event{Key: "watch|" + st.name, Upkeep: a.isUpkeep(), Due: st.due, Run: func() {
		head := st.travelling[0]
		st.travelling = st.travelling[1:]
		st.arrive(head)
	}})
}

// due is when the next event arrives: after the previous one, or at the same time if the latency is zero.
func (st *stream) due() time.Duration {
	lag := st.sim.lag(st.name)
	if st.actor() == apiserver.Self {
		// The server's watches of itself need no network.
		lag = 0
	}
	due := st.sim.Engine.Now() + lag
	if due <= st.last && !st.sim.lockStep() {
		due = st.last + 1
	}
	due = max(due, st.last)
	st.last = due
	return due
}

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
	written := st.sim.written[rv]
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
	seq := st.sim.Recorder.Emit(record)
	if !a.isUpkeep() {
		st.sim.Observer.Delivered(seq)
	}
	st.sim.delivered(&Delivery{
		Stream: st.about, Type: event.Type, Namespace: w.Namespace, Name: w.Name, Revision: rv, Listed: a.listed, Seq: seq,
	})
	st.unread.add(event, st.sim, st.actor())
}

// actor is the client that watches.
func (st *stream) actor() string { return strings.SplitN(st.name, "/", 2)[0] }

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

// revision is the resourceVersion of an event's object, 0 for an error.
func revision(event watch.Event) uint64 {
	accessor, err := meta.Accessor(event.Object)
	if err != nil {
		return 0
	}
	rv, _ := strconv.ParseUint(accessor.GetResourceVersion(), 10, 64)
	return rv
}
