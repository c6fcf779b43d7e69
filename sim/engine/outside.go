package engine

import "time"

// Outside is what happens in real time, beside the simulation: the clients of a simulation that is served.
type Outside interface {
	// Await is called on the engine's goroutine from time zero on, when nothing is due at the current virtual time. It may
	// wait in real time, on what was made outside the bubble: virtual time stands still meanwhile. It returns up to when
	// virtual time may pass before it is called again; a time that has come already means that it has scheduled something,
	// or stopped the engine.
	Await(now time.Duration) (until time.Duration)
}

// Open lets somebody outside the bubble act, and decide how fast virtual time passes. Call it before Run.
func (e *Engine) Open(outside Outside) { e.outside = outside }

// Alive counts a turn of the loop, for an Outside that waits: a simulation that waits for somebody outside is not frozen.
func (e *Engine) Alive() { e.progress.Turns.Add(1) }

// Wake makes the loop look again at whether virtual time may pass. Call it from within the bubble when what an Outside decides
// has changed; it schedules nothing.
func (e *Engine) Wake() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}
