package syncs

import (
	"sync"
	"time"

	"github.com/kubestep/kubestep/sim/engine/activity"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/attempt"
)

// Loop observes work that comes from a queue that is not client-go's: that of kube-scheduler, which knows its keys. One
// goroutine takes the keys; what it starts with a key may end on another goroutine.
type Loop struct {
	observer *Observer
	queue    *queue

	mu sync.Mutex
	// waiting are the latest additions of keys that were not taken since.
	waiting map[string]*entry
}

// Loop returns the observer of a new loop of the actor that the calling goroutine belongs to. The syncs have the name of the
// queue.
func (o *Observer) Loop(name string) *Loop {
	return &Loop{observer: o, queue: o.queue(name, true), waiting: map[string]*entry{}}
}

// Moved records that a key enters one of the loop's queues, and why. follows means that this happens because of the time that
// passed since the key was moved before.
func (l *Loop) Moved(key, queue, event string, follows bool) {
	o := l.observer
	if o.isMuted(l.queue.actor) {
		return
	}
	s := o.Current()
	added := &entry{record: &trace.Record{Kind: trace.KindEnqueue, Actor: l.queue.actor}}
	l.mu.Lock()
	before := l.waiting[key]
	l.waiting[key] = added
	l.mu.Unlock()
	cause := o.cause(s)
	if follows && before != nil {
		cause = func() int64 { return before.record.Seq }
	}
	rank, order := trace.RankHandler, func() string { return l.queue.order + " " + key }
	if s != nil {
		rank, order = trace.RankWorker, s.order
	}
	o.recorder.Defer(added.record, rank, order, func(record *trace.Record) {
		record.Cause = cause()
		record.Enqueue = &trace.Enqueue{Queue: queue, Key: key, Event: event}
	}, nil)
}

// Begin records that work on a key begins, on the calling goroutine and all that it starts.
func (l *Loop) Begin(key string, waited time.Duration) *Sync {
	o, q := l.observer, l.queue
	s := &Sync{
		Actor: q.actor, Queue: q.name, queue: q, begun: o.now(), ended: never, base: o.activities.Current(), traits: q.traits, key: key,
		inOrder: true,
	}
	l.mu.Lock()
	added := l.waiting[key]
	delete(l.waiting, key)
	l.mu.Unlock()
	o.remember(s)
	o.activities.Enter(&activity.Activity{Actor: s.Actor, Task: s})
	if !o.isMuted(s.Actor) {
		o.started(s, added, waited)
	}
	return s
}

// End records that work on a key has ended. A result without success is no error of the sync: the loop decides itself when the key
// comes back. It leaves the activity of the calling goroutine as it is: a Loop ends work on goroutines that end, too.
func (l *Loop) End(s *Sync, result *attempt.Attempt) {
	s.mu.Lock()
	open := s.ended == never
	if open {
		s.ended, s.attempt = l.observer.now(), result
	}
	s.mu.Unlock()
	if open && !l.observer.isMuted(s.Actor) {
		l.observer.recorder.Defer(&trace.Record{Kind: trace.KindSync, Actor: s.Actor}, trace.RankWorker, s.order, s.end, nil)
	}
}

// Rest makes the calling goroutine one that works on no key, as it was before Begin.
func (l *Loop) Rest(s *Sync) { l.observer.activities.Enter(s.base) }
