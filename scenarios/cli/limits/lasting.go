package limits

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Lasting makes a process that lasts use less memory than TuneGarbageCollector lets a run use, and give back what it does not need any
// more, until stop is called. freed is how many bytes the process has let go that it had kept for long, as far as it knows. GOMEMLIMIT is
// stronger.
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
	// softLimitMin is how much memory a process may have before the garbage collector works more than usual.
	softLimitMin = 640 << 20
)

// lasting decides when memory is given back.
type lasting struct {
	freed func() uint64
	// seen is how much the process had allocated and freed at the last look, and returned when it last gave memory back.
	seen, returned uint64
	limit          int64
}

// look gives back memory if it is time for that, and adapts the limit of the garbage collector to what lives.
func (l *lasting) look() {
	samples := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(samples)
	if limit := softLimit(int64(samples[1].Value.Uint64())); limit != l.limit && os.Getenv("GOMEMLIMIT") == "" {
		l.limit = limit
		debug.SetMemoryLimit(limit)
	}
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

// softLimit is how much memory a process may have whose live objects have some size: twice that, so that the garbage collector does not
// run without pause, in steps of 64 MiB.
func softLimit(live int64) int64 {
	const step = 64 << 20
	return max(softLimitMin, (2*live+step-1)/step*step)
}
