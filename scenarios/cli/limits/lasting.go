package limits

import (
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Lasting makes a process that lasts give back the memory that it does not need any more, until stop is called. freed is how many bytes
// the process has let go that it had kept for long, as far as it knows.
func Lasting(freed func() uint64) (stop func()) {
	done := make(chan struct{})
	l := lasting{freed: freed}
	l.look()
	go func() {
		tick := time.NewTicker(lastingTick)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				l.look()
			}
		}
	}()
	return func() { close(done) }
}

const (
	// lastingTick is how often a process that lasts looks at its memory, in real time.
	lastingTick = 2 * time.Second
	// quietBytes is how much a process may allocate between two looks and be quiet, and garbageMin how much it must have allocated
	// since it last gave memory back, so that doing it again is worth a garbage collection.
	quietBytes, garbageMin = 8 << 20, 64 << 20
)

// lasting decides when memory is given back.
type lasting struct {
	freed func() uint64
	// seen is how much the process had allocated and freed at the last look, and returned when it last gave memory back.
	seen, returned uint64
}

// look gives back memory if it is time for that.
func (l *lasting) look() {
	samples := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(samples)
	if l.due(samples[0].Value.Uint64() + l.freed()) {
		debug.FreeOSMemory()
	}
}

// due reports whether it is time to give memory back: the process is quiet, and has moved much before.
func (l *lasting) due(moved uint64) bool {
	quiet := moved-l.seen <= quietBytes
	l.seen = moved
	if !quiet || moved-l.returned < garbageMin {
		return false
	}
	l.returned = moved
	return true
}
