package scheduler

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"time"

	"k8s.io/utils/clock"

	"github.com/kubestep/kubestep/sim/engine"
)

// An idle kube-scheduler wakes up four times a second: three times to update metrics, and once to look into the part of its queue where
// Pods wait for the end of their back-off. Nobody can read the metrics of a simulation, and an empty queue has nothing to look for, so
// both are left out here: days of virtual time would take long otherwise.

// unmetered is the context with which a scheduler is built. Those who start the goroutines that update metrics, and only those, find
// that it has ended. If upstream moves them, they run again, and nothing but the time that it takes changes.
type unmetered struct{ context.Context }

// metered are the functions of upstream that start these goroutines.
var metered = []string{
	"k8s.io/kubernetes/pkg/scheduler.New", "k8s.io/kubernetes/pkg/scheduler/backend/cache.newCache",
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime.NewFramework",
}

var ended = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// Done implements context.Context.
func (u unmetered) Done() <-chan struct{} {
	callers := make([]uintptr, 1)
	const asker = 2 // runtime.Callers and Done come before
	frame, _ := runtime.CallersFrames(callers[:runtime.Callers(asker, callers)]).Next()
	for _, name := range metered {
		if frame.Function == name || strings.HasPrefix(frame.Function, name+".") {
			return ended
		}
	}
	return u.Context.Done()
}

// backoffClock is the clock of the queue. It is virtual time, but for the ticker of the back-off: that ticks at its times only while
// Pods wait there.
type backoffClock struct {
	clock.RealClock
	// waiting reports whether there are such Pods.
	waiting func() bool

	mu     sync.Mutex
	ticker *backoffTicker
	// early means that moved was called before there was a ticker.
	early bool
}

// NewTicker implements clock.WithTicker.
func (b *backoffClock) NewTicker(period time.Duration) clock.Ticker {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ticker = &backoffTicker{
		clock: b, begun: b.Now(), period: period, ticks: make(chan time.Time, 1), stopped: make(chan struct{}),
	}
	if b.early {
		b.ticker.arm()
	}
	return b.ticker
}

// moved says that a Pod may have entered the part of the queue where it waits for the end of its back-off. Upstream makes the ticker up to
// a second after the queue has begun (waitUntilAlignedWithOrderingWindow): a Pod may wait already.
func (b *backoffClock) moved() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ticker == nil {
		b.early = true
		return
	}
	b.ticker.arm()
}

// backoffTicker is a ticker that rests.
type backoffTicker struct {
	clock   *backoffClock
	begun   time.Time
	period  time.Duration
	ticks   chan time.Time
	stopped chan struct{}
	// armed means that run runs.
	armed bool
}

// arm begins to tick, unless it does. The caller holds the lock of the clock.
func (t *backoffTicker) arm() {
	if !t.armed {
		t.armed = true
		go t.run()
	}
}

// run ticks until no Pod waits any more.
func (t *backoffTicker) run() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-t.stopped:
			cancel()
		case <-ctx.Done():
		}
	}()
	for {
		since := t.clock.Since(t.begun)
		if !engine.Sleep(ctx, t.period-since%t.period) {
			return
		}
		more := t.clock.waiting()
		select {
		case t.ticks <- t.clock.Now():
		default:
		}
		if more {
			continue
		}
		t.clock.mu.Lock()
		defer t.clock.mu.Unlock()
		t.armed = false
		return
	}
}

// C implements clock.Ticker.
func (t *backoffTicker) C() <-chan time.Time { return t.ticks }

// Stop implements clock.Ticker.
func (t *backoffTicker) Stop() { close(t.stopped) }
