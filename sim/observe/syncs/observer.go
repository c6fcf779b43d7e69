package syncs

import (
	"math"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/sim/engine/activity"
	"github.com/kubestep/kubestep/sim/observe/workqueue"
	"github.com/kubestep/kubestep/sim/trace"
)

// never is a time at which nothing happens.
const never = time.Duration(math.MinInt64)

// keepSyncs is how many finished syncs of an actor are kept, to find the one that recorded an Event, which arrives a
// little later.
const keepSyncs = 256

// Observer records the syncs of one simulation.
type Observer struct {
	// ReadError, if set, interprets the text of an error.
	ReadError func(text string) ReportedError
	// Traits, if set, returns the special properties of a work queue.
	Traits func(queue string) Traits
	// Own has the properties of the queues of the simulation itself, for which Traits is not asked.
	Own map[string]Traits

	// KeepDelays remembers the delayed additions that may be pending, for WriteState.
	KeepDelays bool

	// Begins, if set, is called before a sync reads a cache for the first time, on its goroutine. It may wait.
	Begins func(actor, queue, key string)

	// Delays, if set, is called when a sync asks for a delayed addition to its queue, on its goroutine. The key is added later by as long
	// as it waits. It is not called for controllers that are other processes.
	Delays func(s *Sync)

	recorder   *trace.Recorder
	activities *activity.Registry
	now        func() time.Duration
	// delivered is the record and the time of the last watch event that arrived, and about is its object.
	mu        sync.Mutex
	delivered int64
	at        time.Duration
	about     about
	recent    map[string][]*Sync
	queues    map[string][]*queue
	// muted are the processes that crashed.
	muted map[string]func(actor string) bool
}

// ReportedError is a controller's error as the trace records it.
type ReportedError struct {
	// Text is the error without what differs between runs, and Key the key of the sync, if the text contains it.
	Text, Key string
	// Stale means that the controller waits for its cache; see trace.Sync.
	Stale bool
}

// NewObserver returns an observer that writes to recorder.
func NewObserver(recorder *trace.Recorder, activities *activity.Registry, now func() time.Duration) *Observer {
	return &Observer{recorder: recorder, activities: activities, now: now, at: never,
		recent: map[string][]*Sync{}, queues: map[string][]*queue{}, muted: map[string]func(string) bool{}}
}

// Current is the sync that the calling goroutine works on, or nil.
func (o *Observer) Current() *Sync {
	if a := o.activities.Current(); a != nil {
		s, _ := a.Task.(*Sync)
		return s
	}
	return nil
}

// Delivered sets the record of a watch event that arrives now, and its object; nil for a list. It is the cause of what handlers do at this
// virtual time.
func (o *Observer) Delivered(seq int64, object runtime.Object) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.delivered, o.at, o.about = seq, o.now(), aboutOf(object)
}

// Read records that the calling goroutine read a cache.
func (o *Observer) Read(read trace.Read) {
	if s := o.Current(); s != nil {
		s.read(read)
	}
}

// Looks says that the calling goroutine is about to read a cache: an object, or a list if it has no name.
func (o *Observer) Looks(namespace, name string) {
	if o.Begins == nil {
		// Every read of every run comes here.
		return
	}
	s := o.Current()
	if s == nil || !s.looksFirst() {
		return
	}
	key := name
	if namespace != "" && name != "" {
		key = namespace + "/" + name
	}
	o.Begins(s.Actor, s.Queue, key)
}

// SyncAt finds the sync of actor that was under way at a virtual time, preferring one whose key is key.
func (o *Observer) SyncAt(actor string, at time.Duration, key string) *Sync {
	o.mu.Lock()
	defer o.mu.Unlock()
	var best *Sync
	syncs := o.recent[actor]
	for i := len(syncs) - 1; i >= 0; i-- {
		s := syncs[i]
		s.mu.Lock()
		during := s.begun <= at && (s.ended == never || at <= s.ended)
		exact := s.key == key
		s.mu.Unlock()
		if during && exact {
			return s
		}
		if during && best == nil {
			best = s
		}
	}
	return best
}

// cause is the record that caused what the calling goroutine does: its sync, the watch event of this virtual time, or
// nothing (a timer of the controller).
func (o *Observer) cause(s *Sync) func() int64 {
	if s != nil {
		return s.Seq
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.at == o.now() {
		seq := o.delivered
		return func() int64 { return seq }
	}
	return func() int64 { return 0 }
}

func (o *Observer) begin(q *queue, waited time.Duration) {
	base := o.activities.Current()
	s := &Sync{Actor: q.actor, Queue: q.name, queue: q, begun: o.now(), ended: never, base: base, traits: q.traits}
	entry := q.take(s.begun - waited)
	if entry != nil {
		s.due, s.byTimer = s.begun-waited, entry.byTimer
		entry.setSync(s)
	}
	o.remember(s)
	o.activities.Enter(&activity.Activity{Actor: s.Actor, Task: s})
	if o.isMuted(s.Actor) {
		return
	}
	start := func() { o.started(s, entry, waited) }
	if q.traits.KeyFromRequest {
		s.start = start
		return
	}
	start()
}

// remember keeps a sync that begins, for the Events that it will record.
func (o *Observer) remember(s *Sync) {
	o.mu.Lock()
	defer o.mu.Unlock()
	syncs := append(o.recent[s.Actor], s)
	if len(syncs) > keepSyncs {
		syncs = syncs[len(syncs)-keepSyncs/2:]
	}
	o.recent[s.Actor] = syncs
}

// started records that a sync began.
func (o *Observer) started(s *Sync, entry *entry, waited time.Duration) {
	record := &trace.Record{Kind: trace.KindSync, Actor: s.Actor}
	o.recorder.Defer(record, trace.RankWorker, s.order, func(record *trace.Record) {
		if entry != nil {
			record.Cause = entry.record.Seq
		}
		record.Sync = &trace.Sync{Phase: trace.PhaseStart, Queue: s.Queue, Key: s.Key(), Waited: waited}
	}, func(record *trace.Record) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.seq = record.Seq
	})
}

// order sorts by key what concurrent workers of one controller did. What one goroutine did stays in its order.
func (s *Sync) order() string {
	if s.inOrder {
		return s.queue.order
	}
	return s.queue.order + " " + s.Key()
}

func (o *Observer) end(q *queue) {
	s := o.Current()
	if s == nil || s.queue != q {
		return
	}
	q.endDelays(s)
	if !o.isMuted(s.Actor) {
		s.mu.Lock()
		s.ended = o.now()
		idle := s.start != nil
		s.mu.Unlock()
		if !idle {
			o.recorder.Defer(&trace.Record{Kind: trace.KindSync, Actor: s.Actor}, trace.RankWorker, s.order, s.end, nil)
		}
	}
	if s.base != nil {
		o.activities.Enter(s.base)
	} else {
		o.activities.Leave()
	}
}

func (o *Observer) added(q *queue) {
	if o.isMuted(q.actor) {
		return
	}
	s := o.Current()
	entry := &entry{record: &trace.Record{Kind: trace.KindEnqueue, Actor: q.actor}}
	cause := o.cause(s)
	a := o.activities.Current()
	informed := a != nil && a.Actor != q.actor // a handler, which runs on a goroutine of its informer
	entry.why = o.whyAdded(q, s)
	entry.byTimer = o.KeepDelays && s == nil && workqueue.IsTimer()
	q.add(o.now(), entry)
	rank, order := trace.RankHandler, func() string { return q.order }
	if q.traits.KeyFromRequest {
		order = func() string { return q.order + " " + entry.key() }
	}
	if s != nil {
		rank, order = trace.RankWorker, s.order
	}
	o.recorder.Defer(entry.record, rank, order, func(record *trace.Record) {
		record.Enqueue = &trace.Enqueue{Queue: q.name, Key: entry.key()}
		switch record.Cause = cause(); {
		case record.Cause != 0:
		case informed:
			record.Enqueue.Resync = true
		default:
			record.Cause = q.timer()
		}
	}, nil)
}

func (o *Observer) delayed(q *queue) {
	if o.isMuted(q.actor) {
		return
	}
	s := o.Current()
	cause := o.cause(s)
	record := &trace.Record{Kind: trace.KindTimer, Actor: q.actor}
	rank, order := trace.RankHandler, func() string { return q.order }
	q.noteDelay(s, o.now())
	if s != nil {
		s.requeues()
		rank, order = trace.RankWorker, s.order
	}
	o.recorder.Defer(record, rank, order, func(record *trace.Record) {
		record.Cause = cause()
		record.Timer = &trace.Timer{Queue: q.name}
		if s != nil {
			record.Timer.Key = s.Key()
		}
	}, func(record *trace.Record) { q.setTimer(record.Seq) })
}

// Errored records an error that the calling goroutine reported through utilruntime.HandleError.
func (o *Observer) Errored(actor, message string, err error, keysAndValues []any) {
	reported := o.readError(err)
	message = clean(message)
	if s := o.Current(); s != nil {
		s.named(reported.Key)
		s.named(keyOf(keysAndValues))
		s.failed(strings.TrimPrefix(message+": "+reported.Text, unhandled+": "), reported.Stale)
	}
	o.Log(actor, trace.Log{
		Level: -1, Message: message, Values: printed(keysAndValues), Error: reported.Text, Stale: reported.Stale,
	}, keysAndValues)
}

// unhandled is the prefix that utilruntime.HandleError adds to every error.
const unhandled = "Unhandled Error"

// Log records a line that the calling goroutine logged.
func (o *Observer) Log(actor string, line trace.Log, keysAndValues []any) {
	s := o.Current()
	record := &trace.Record{Kind: trace.KindLog, Actor: actor, Log: &line}
	rank, order := trace.RankOther, func() string { return line.Message + " " + strings.Join(line.Values, " ") }
	if s != nil {
		s.named(keyOf(keysAndValues))
		record.Actor = s.Actor
		rank, order = trace.RankWorker, s.order
	} else if a := o.activities.Current(); a != nil {
		if a.Aside {
			return
		}
		record.Actor = a.Actor
	}
	if o.isMuted(record.Actor) {
		return
	}
	cause := o.cause(s)
	o.recorder.Defer(record, rank, order, func(record *trace.Record) { record.Cause = cause() }, nil)
}

func (o *Observer) readError(err error) ReportedError {
	switch {
	case err == nil:
		return ReportedError{}
	case o.ReadError == nil:
		return ReportedError{Text: clean(err.Error())}
	}
	reported := o.ReadError(err.Error())
	reported.Text = clean(reported.Text)
	return reported
}
