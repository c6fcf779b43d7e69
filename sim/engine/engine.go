package engine

import (
	"cmp"
	"container/heap"
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing/synctest"
	"time"

	"github.com/kubestep/kubestep/sim/toolchain/exact"
)

// Engine is the event loop of one simulation. Create it inside the bubble with New.
type Engine struct {
	// seed is what decides draws now; goroutines other than the engine's read it, too.
	seed  atomic.Uint64
	zero  time.Time
	draws draws

	mu     sync.Mutex
	inbox  []*Event
	closed bool
	wake   chan struct{}

	// The remaining fields belong to the engine's goroutine.
	events  eventHeap
	admits  uint64
	turn    uint64
	quiet   []func()
	stopped bool
	timer   *time.Timer

	progress *Progress
	outside  Outside
	// chooser decides orders, unless it is nil.
	chooser Chooser
}

// Past is earlier than any other time.
const Past = time.Duration(math.MinInt64)

// Event is a function to run at a virtual time.
type Event struct {
	// Key is the canonical name of the event: two runs of one seed give the same event the same key, independent of the
	// order of goroutines. Example: "deployment-controller|update|deployments/status|default/web".
	//
	// Keys are compared as text, in which "100" sorts before "99", so do not use a number in one to order events.
	// Events of one key and body keep the order in which they were scheduled.
	Key string
	// Class is what kind of event it is, for those who ask what is due.
	Class Class
	// Body distinguishes events with the same key, such as two creations with generateName; nil if the key is unique.
	// It is called only when keys are equal.
	Body func() []byte
	// Due returns when the event happens, as virtual time since time zero. It is called in canonical order on the
	// engine's goroutine. Nil means now.
	Due func() time.Duration
	// Upkeep marks an event that recurs in the background whatever a simulation does. It does not count in the order that
	// the seed gives to other events of one time: with and without it, they happen in the same order.
	Upkeep bool
	// Open is set if the event may as well come before or after others of its time; see ChooseBy.
	Open *Open
	// Run executes the event on the engine's goroutine. It must not block.
	Run func()
	// Abandon is called instead of Run when the simulation ends first; may be nil.
	Abandon func()

	at    time.Duration
	turn  uint64
	tie   uint64
	body  []byte
	ready bool
}

// Progress counts what the engine does, for observers outside the bubble.
type Progress struct {
	// Events is the number of events run so far.
	Events atomic.Int64
	// Turns counts the iterations of the loop; while it does not change the simulation is frozen.
	Turns atomic.Int64
	// Virtual is the time since time zero in nanoseconds.
	Virtual atomic.Int64
	// Waits is set while the simulation waits for somebody outside, in real time. Then it is not frozen, and needs no timeout.
	Waits atomic.Bool
	// Waited is how often it has waited.
	Waited atomic.Int64
}

// New returns an engine whose time zero is startUp from now: times before it are negative. It must be called inside a
// bubble, which it makes exact in the exact build.
func New(seed uint64, startUp time.Duration, progress *Progress) *Engine {
	exact.Seed(seed)
	e := &Engine{zero: time.Now().Add(startUp), wake: make(chan struct{}, 1), draws: newDraws(seed), progress: progress}
	e.seed.Store(seed)
	return e
}

// Seed is the seed that decides what is drawn now. Any goroutine may call it.
func (e *Engine) Seed() uint64 { return e.seed.Load() }

// Reseed makes another seed decide what is drawn from now on, and the order of events of one time. The count of draws starts over, so
// what comes depends only on the new seed, the names and the time. A seed that decides already changes nothing, and Reseed returns false.
// Only the engine's goroutine may call it.
func (e *Engine) Reseed(seed uint64) bool {
	if e.seed.Swap(seed) == seed {
		return false
	}
	e.draws = newDraws(seed)
	return true
}

// Now is the virtual time since time zero.
func (e *Engine) Now() time.Duration { return time.Since(e.zero) }

// Zero is the virtual date of time zero.
func (e *Engine) Zero() time.Time { return e.zero }

// Date is the current virtual date and time, for uses that need more than Now: the timestamps of objects.
func (e *Engine) Date() time.Time { return time.Now() }

// Draw returns a duration from lo to hi, both included, that depends only on the seed, the key and the number of
// earlier draws for the key. Only the engine's goroutine may call it.
func (e *Engine) Draw(key string, lo, hi time.Duration) time.Duration {
	return e.draws.duration(key, lo, hi)
}

// Scheduled calls f for each event that is due later, in no particular order, until f returns false. Only the engine's
// goroutine may call it.
func (e *Engine) Scheduled(f func(event *Event, at time.Duration) bool) {
	for _, event := range e.events {
		if !f(event, event.at) {
			return
		}
	}
}

// HasArrivals reports whether there are events that were scheduled since the last one happened, and that Scheduled does not know yet. Only
// the engine's goroutine may call it.
func (e *Engine) HasArrivals() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.inbox) > 0
}

// OnQuiet registers a function that runs whenever the simulation is quiescent, before the next event.
func (e *Engine) OnQuiet(f func()) { e.quiet = append(e.quiet, f) }

// Schedule adds an event. Any goroutine of the bubble may call it. It returns false when the simulation has ended; the
// event then never runs.
func (e *Engine) Schedule(event *Event) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return false
	}
	e.inbox = append(e.inbox, event)
	e.Wake()
	return true
}

// At schedules run at a virtual time since time zero. A time in the past comes before anything due now.
func (e *Engine) At(at time.Duration, key string, run func()) bool {
	return e.As(Other).At(at, key, run)
}

// After schedules run after a virtual duration from now; 0 means as the next possible event.
func (e *Engine) After(d time.Duration, key string, run func()) bool {
	return e.As(Other).After(d, key, run)
}

// UpkeepAt schedules an Upkeep event at a virtual time in the future. It is a timer until then, so that events that most
// runs end before cost nothing.
func (e *Engine) UpkeepAt(at time.Duration, key string, run func()) {
	time.AfterFunc(at-e.Now(), func() { e.Schedule(&Event{Key: key, Upkeep: true, Run: run}) })
}

// FirstAt schedules run at a virtual time in the future, before everything else that is due then; of several, those of smaller rank come
// first. Only the engine's goroutine may call it, or its creator before Run.
//
// Until then, nothing happens differently than without it, to the last draw: it needs no timer, and each timer of a bubble draws its place
// among those that are due at the same time.
func (e *Engine) FirstAt(at time.Duration, rank uint64, run func()) {
	heap.Push(&e.events, &Event{Class: Routine, Upkeep: true, Run: run, at: at, tie: rank})
}

// Call runs f on the engine's goroutine and waits for it, so it must not be called there. It does not run f when the
// simulation has ended.
func (e *Engine) Call(key string, f func()) { e.As(Other).Call(key, f) }

// Sleep waits for a virtual duration on any goroutine but the engine's. It returns false if the context ends first.
func Sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// Stop ends the loop after the current event.
func (e *Engine) Stop() { e.stopped = true }

// Run runs the loop until Stop or until the virtual time end, whichever comes first. Pending events are kept.
func (e *Engine) Run(end time.Duration) {
	for {
		synctest.Wait()
		e.progress.Turns.Add(1)
		e.progress.Virtual.Store(int64(e.Now()))
		for _, f := range e.quiet {
			f()
		}
		e.admit()
		now := e.Now()
		if e.stopped || now > end {
			return
		}
		if len(e.events) > 0 && e.events[0].at <= now {
			event := e.next(now)
			e.progress.Events.Add(1)
			event.Run()
			continue
		}
		limit := end
		if e.outside != nil && now >= 0 {
			until := e.outside.Await(now)
			if until <= now {
				if e.stopped {
					return
				}
				continue
			}
			limit = min(limit, until)
		}
		if !e.sleep(now, limit) {
			return
		}
	}
}

// sleep waits for the next event, for a call of Schedule, or for the end. It returns false at the end.
func (e *Engine) sleep(now, end time.Duration) bool {
	until := end
	if len(e.events) > 0 {
		until = min(until, e.events[0].at)
	}
	if until == now {
		return false
	}
	if e.timer == nil {
		e.timer = time.NewTimer(until - now)
	} else {
		e.timer.Reset(until - now)
	}
	select {
	case <-e.timer.C:
	case <-e.wake:
	}
	return true
}

// admit moves the inbox into the heap, in canonical order.
func (e *Engine) admit() {
	e.mu.Lock()
	arrived := e.inbox
	e.inbox = nil
	e.mu.Unlock()
	if len(arrived) == 0 {
		return
	}
	slices.SortStableFunc(arrived, func(a, b *Event) int {
		if c := cmp.Compare(a.Key, b.Key); c != 0 {
			return c
		}
		return slices.Compare(a.content(), b.content())
	})
	now, seed := e.Now(), e.Seed()
	e.turn++
	for _, event := range arrived {
		event.turn = e.turn
		event.at = now
		if event.Due != nil {
			event.at = event.Due()
		}
		if event.Upkeep {
			event.tie = hash(seed, event.Key)
		} else {
			e.admits++
			event.tie = mix(seed ^ mix(e.admits))
		}
		heap.Push(&e.events, event)
	}
}

func (event *Event) content() []byte {
	if !event.ready && event.Body != nil {
		event.body = event.Body()
	}
	event.ready = true
	return event.body
}

// Close rejects all further events and abandons those that never ran.
func (e *Engine) Close() {
	e.mu.Lock()
	e.closed = true
	left := append([]*Event(e.events), e.inbox...)
	e.events, e.inbox = nil, nil
	e.mu.Unlock()
	for _, event := range left {
		if event.Abandon != nil {
			event.Abandon()
		}
	}
}

// eventHeap orders events by due time. Of those due at the same time, events scheduled in an earlier iteration come
// first, as in a queue, and the seed orders those of one iteration. So with latencies of zero a simulation runs in
// lock-step: all pending events happen before their consequences.
type eventHeap []*Event

func (h eventHeap) Len() int { return len(h) }
func (h eventHeap) Less(i, j int) bool {
	if h[i].at != h[j].at {
		return h[i].at < h[j].at
	}
	if h[i].turn != h[j].turn {
		return h[i].turn < h[j].turn
	}
	return h[i].tie < h[j].tie
}
func (h eventHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *eventHeap) Push(x any)   { *h = append(*h, x.(*Event)) }
func (h *eventHeap) Pop() any {
	last := len(*h) - 1
	event := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return event
}
