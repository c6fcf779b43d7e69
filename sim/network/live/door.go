package live

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kubestep/kubestep/sim/engine"
)

// ErrEnded means that the simulation has ended.
var ErrEnded = errors.New("the simulation has ended")

// Door is the door of one simulation. Make it outside of the bubble; Enter is called inside.
type Door struct {
	// knock wakes the engine, real is the real time since the door was made, and ended closes when the simulation ends.
	knock chan struct{}
	real  atomic.Int64
	ended chan struct{}

	mu    sync.Mutex
	looks []*look
	// writes wait for the steps. busy means that the steps work on one, until until at the latest.
	writes []*write
	busy   bool
	until  time.Duration
	// open means that the scenario's own steps have been taken, and started that the clock runs since then.
	open    bool
	started bool
	now     time.Duration
	// last is the time of the last step.
	last  time.Duration
	pace  Pace
	clock clock
	// observed is how fast time has passed.
	observed observation
	moves    []*move
	// unsettled means that writes have come since the simulation was quiet.
	unsettled bool
	stopping  bool

	engine *engine.Engine
	// steps passes writes to the goroutine of the steps.
	steps chan *write
	quiet func() bool
}

type look struct {
	do   func()
	done chan struct{}
}

// write is something for the steps, at the virtual time at.
type write struct {
	what  any
	ready func() bool
	at    time.Duration
	done  chan struct{}
}

// move is a request to let virtual time pass as fast as possible: to a time, or until reached.
type move struct {
	to      time.Duration
	reached func() bool
	done    chan struct{}
}

// New returns a door through which time passes at a pace from the moment when the simulation opens it.
func New(pace Pace) *Door {
	d := &Door{knock: make(chan struct{}, 1), ended: make(chan struct{}), pace: pace}
	begin := time.Now()
	go func() {
		ticker := time.NewTicker(tick)
		defer ticker.Stop()
		for {
			select {
			case <-d.ended:
				return
			case <-ticker.C:
				d.real.Store(int64(time.Since(begin)))
				d.observe()
				d.wake()
			}
		}
	}()
	return d
}

// Enter connects the door with the engine of a simulation. quiet reports whether nothing is due; it is called on the
// engine's goroutine.
func (d *Door) Enter(e *engine.Engine, quiet func() bool) {
	d.engine, d.steps, d.quiet = e, make(chan *write, 1), quiet
	e.Open(d)
}

// End tells everybody at the door that the simulation has ended.
func (d *Door) End() {
	d.mu.Lock()
	defer d.mu.Unlock()
	select {
	case <-d.ended:
	default:
		close(d.ended)
	}
}

// Ended closes when the simulation has ended.
func (d *Door) Ended() <-chan struct{} { return d.ended }

func (d *Door) wake() {
	select {
	case d.knock <- struct{}{}:
	default:
	}
}

// Do runs a function on the engine's goroutine as soon as nothing is due, and waits for it.
func (d *Door) Do(do func()) error {
	l := &look{do: do, done: make(chan struct{})}
	d.mu.Lock()
	d.looks = append(d.looks, l)
	d.mu.Unlock()
	d.wake()
	return d.wait(l.done)
}

func (d *Door) wait(done chan struct{}) error {
	select {
	case <-done:
		return nil
	case <-d.ended:
		return ErrEnded
	}
}

// Write leaves something for the steps, and waits until it is done. When its turn has come, ready is called on the engine's goroutine,
// as soon as nothing is due. If it returns false, the steps do not get it.
func (d *Door) Write(what any, ready func() bool) error {
	w := &write{what: what, ready: ready, done: make(chan struct{})}
	d.mu.Lock()
	if d.stopping {
		d.mu.Unlock()
		return ErrEnded
	}
	d.writes = append(d.writes, w)
	d.mu.Unlock()
	d.wake()
	return d.wait(w.done)
}

// Next returns the next thing that somebody has left for the steps, and the virtual time for it. The goroutine of the steps
// calls it. It is not ok when the context ends.
func (d *Door) Next(ctx context.Context) (what any, at time.Duration, done func(), ok bool) {
	d.mu.Lock()
	d.open = true
	d.mu.Unlock()
	// The engine may be on its way to an event that is far away.
	d.engine.Wake()
	select {
	case w := <-d.steps:
		return w.what, w.at, func() { d.finished(w) }, true
	case <-ctx.Done():
		return nil, 0, nil, false
	}
}

func (d *Door) finished(w *write) {
	d.mu.Lock()
	d.busy, d.unsettled = false, true
	d.mu.Unlock()
	close(w.done)
}

// Step lets a span of virtual time pass as fast as possible, and waits for that.
func (d *Door) Step(ctx context.Context, span time.Duration) error {
	d.mu.Lock()
	to := d.now + span
	d.mu.Unlock()
	return d.move(ctx, &move{to: to, done: make(chan struct{})})
}

// Until lets virtual time pass as fast as possible, for a span at most, until reached, which is called on the engine's goroutine
// whenever nothing is due, and waits for that.
func (d *Door) Until(ctx context.Context, span time.Duration, reached func() bool) error {
	d.mu.Lock()
	to := d.now + span
	d.mu.Unlock()
	return d.move(ctx, &move{to: to, reached: reached, done: make(chan struct{})})
}

// move waits for a move. When the context ends, the move does.
func (d *Door) move(ctx context.Context, m *move) error {
	d.mu.Lock()
	d.moves = append(d.moves, m)
	d.mu.Unlock()
	d.wake()
	select {
	case <-ctx.Done():
		d.mu.Lock()
		defer d.mu.Unlock()
		d.moves = slices.DeleteFunc(d.moves, func(other *move) bool { return other == m })
		return ctx.Err()
	case <-d.ended:
		return ErrEnded
	case <-m.done:
		return nil
	}
}

// SetPace changes how virtual time passes.
func (d *Door) SetPace(pace Pace) {
	d.mu.Lock()
	d.pace, d.observed = pace, observation{}
	d.clock.set(d.now, time.Duration(d.real.Load()), pace.Speed)
	d.mu.Unlock()
	d.wake()
}

// Now is the virtual time, and how it passes.
func (d *Door) Now() (now time.Duration, pace Pace) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now, d.pace
}

// IsOpen reports whether the scenario's own steps have been taken, and IsMoving whether time passes as fast as possible because
// somebody waits for that.
func (d *Door) IsOpen() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.open
}

// IsMoving is explained with IsOpen.
func (d *Door) IsMoving() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.moves) > 0
}

// IsStopping reports whether somebody has called Stop.
func (d *Door) IsStopping() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.stopping
}

// Stop ends the simulation after the writes that are under way.
func (d *Door) Stop() {
	d.mu.Lock()
	d.stopping = true
	d.mu.Unlock()
	d.wake()
}
