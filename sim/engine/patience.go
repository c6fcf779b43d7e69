package engine

import "time"

// A look is what the watchdog sees in one tick.
type look struct {
	// turns counts the iterations of the engine's loop.
	turns int64
	// elapsed is the real time since the look before, processor the processor time of the process in it.
	elapsed, processor time.Duration
	// busy is set if a goroutine of the simulation runs, or could run.
	busy bool
}

// patience adds up for how long a simulation has made no progress. It counts the process's own time: a process that a debugger or a
// signal stops, that waits for a processor, or whose machine sleeps, makes no progress either, and is not frozen.
//
// A simulation that spins uses processor time, so that is what counts. One whose goroutines all wait uses none. It is looked at in
// ticks then, and each counts as one, however late it comes: while the process is stopped, none comes.
type patience struct {
	tick  time.Duration
	turns int64
	spent time.Duration
}

// add returns the time without any progress until now.
func (p *patience) add(l look) time.Duration {
	switch {
	case l.turns != p.turns:
		p.turns, p.spent = l.turns, 0
	case l.busy:
		p.spent += min(l.elapsed, l.processor)
	default:
		p.spent += min(l.elapsed, p.tick)
	}
	return p.spent
}
