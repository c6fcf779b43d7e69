package engine

import (
	"runtime"
	"time"
)

// Watch observes progress from outside the bubble, and calls frozen once if the loop does not iterate for limit, which is real time as
// patience counts it. It returns the function that stops watching; when that returns, nobody looks at the clock any more. frozen must not
// call it.
func Watch(progress *Progress, limit time.Duration, frozen func(*FrozenError)) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		counts := &patience{tick: limit / 20, turns: -1}
		ticker := time.NewTicker(counts.tick)
		defer ticker.Stop()
		at, used := time.Now(), ProcessorTime()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
			}
			before, usedBefore := at, used
			at, used = time.Now(), ProcessorTime()
			l := look{turns: progress.Turns.Load(), elapsed: at.Sub(before), processor: used - usedBefore}
			if progress.Waits.Load() {
				counts.turns = -1
				continue
			}
			if l.turns == counts.turns {
				f := frozenNow(progress)
				l.busy = f.isBusy()
				f.After = counts.add(l).Round(time.Millisecond)
				// Nothing connects to a port, so there is no need to be patient.
				if f.After >= limit || f.After >= limit/10 && f.Listens() {
					frozen(f)
					return
				}
				continue
			}
			counts.add(l)
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

// frozenNow describes what keeps the simulation from being quiescent, now.
func frozenNow(progress *Progress) *FrozenError {
	dump := stacks()
	culprits := stuckGoroutines(dump)
	return &FrozenError{
		Stuck: culprits, Mutexes: mutexWaits(string(dump)), Actors: actorsIn(culprits),
		Virtual: time.Duration(progress.Virtual.Load()),
	}
}

// stacks dumps every goroutine.
func stacks() []byte {
	for size := 1 << 20; ; size *= 2 {
		buffer := make([]byte, size)
		if n := runtime.Stack(buffer, true); n < size {
			return buffer[:n]
		}
	}
}
