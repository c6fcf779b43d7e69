package syncs

import (
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/observe/workqueue"
	"github.com/kubestep/kubestep/sim/trace"
)

// queue is the observer's state of one named work queue.
type queue struct {
	observer *Observer
	name     string
	actor    string
	traits   Traits
	// order sorts what happens in several queues at one virtual time: the name, and a number if it is not the actor's
	// first queue of that name.
	order string

	mu      sync.Mutex
	entries map[time.Duration][]*entry
	timers  int64
	delays  delays
}

// entry is a key in a queue: the record of its addition and, later, the sync that took it.
type entry struct {
	record *trace.Record
	// why says what added the key, for WriteState: the queue does not tell its keys.
	why string
	// byTimer means that a delay was over.
	byTimer bool
	sync    atomic.Pointer[Sync]
}

func (e *entry) setSync(s *Sync) { e.sync.Store(s) }

func (e *entry) key() string {
	if s := e.sync.Load(); s != nil {
		return s.Key()
	}
	return ""
}

func (q *queue) add(at time.Duration, e *entry) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.entries[at] = append(q.entries[at], e)
}

// take returns the oldest entry that was added at a virtual time. The queue is first in, first out, and a key remembers
// when it was added, so this is the addition that caused the worker's sync.
func (q *queue) take(at time.Duration) *entry {
	q.mu.Lock()
	defer q.mu.Unlock()
	entries := q.entries[at]
	if len(entries) == 0 {
		return nil
	}
	if len(entries) == 1 {
		delete(q.entries, at)
	} else {
		q.entries[at] = entries[1:]
	}
	return entries[0]
}

func (q *queue) timer() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.timers
}

func (q *queue) setTimer(seq int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.timers = seq
}

// Activate makes o observe the work queues that are created from now on.
func (o *Observer) Activate() {
	workqueue.Observe(func(name string, fresh bool) workqueue.Queue {
		if o.traitsOf(name).Relay {
			return nil
		}
		return o.queue(name, fresh)
	})
}

// Queue returns a work queue of a controller that is another process. What happens in it is reported on a goroutine with the
// Activity of the controller or of its sync. The first request of a sync reveals its key.
func (o *Observer) Queue(name string) workqueue.Queue {
	q := o.queue(name, true)
	q.traits.KeyFromRequest = true
	return q
}

// Added implements workqueue.Queue.
func (q *queue) Added() { q.observer.added(q) }

// Taken implements workqueue.Queue.
func (q *queue) Taken(seconds float64) { q.observer.begin(q, duration(seconds)) }

// Done implements workqueue.Queue.
func (q *queue) Done() { q.observer.end(q) }

// Delayed implements workqueue.Queue.
func (q *queue) Delayed() {
	q.observer.delayed(q)
	if s := q.observer.Current(); s != nil && s.queue == q && q.observer.Delays != nil && !q.traits.KeyFromRequest {
		q.observer.Delays(s)
	}
	if q.traits.PauseDelays {
		engine.Sleep(context.Background(), 1)
	}
}

// duration undoes the metric's conversion to seconds: 0.0042 s are exactly 4,200,000 ns. A float64 holds
// nanoseconds exactly up to 104 days.
func duration(seconds float64) time.Duration {
	return time.Duration(math.Round(seconds * float64(time.Second)))
}

// queue returns the state of a new queue, or that of the last one. It belongs to the controller that is being built on
// this goroutine.
func (o *Observer) queue(name string, fresh bool) *queue {
	actor := name
	if a := o.activities.Current(); a != nil {
		actor = a.Actor
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	id := actor + "/" + name
	same := o.queues[id]
	if !fresh && len(same) > 0 {
		return same[len(same)-1]
	}
	q := &queue{
		observer: o, name: name, actor: actor, traits: o.traitsOf(name), entries: map[time.Duration][]*entry{}, order: name,
		delays: newDelays(),
	}
	if len(same) > 0 {
		q.order = fmt.Sprintf("%s#%d", name, len(same)+1)
	}
	o.queues[id] = append(same, q)
	return q
}
