package limits

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// TuneGarbageCollector spends memory to save time: a run is short, and most of its garbage comes from objects that live
// for one request. The soft limit keeps a large run from spending too much: see Guard.
func (l Limits) TuneGarbageCollector() {
	const percent = 400
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
	l.soften()
}

// EaseGarbageCollector is for a copy of a process that makes the rest of a run. The memory of a copy is that of its origin until one of
// them writes to it, and the collector writes to what it marks, which is all that lives. So a copy collects no garbage below the soft
// limit.
func (Limits) EaseGarbageCollector() {
	if os.Getenv("GOGC") == "" && softened.Load() > 0 {
		debug.SetGCPercent(-1)
	}
}

// softLimitMin is how much memory a process may have before the garbage collector works more than TuneGarbageCollector says, and
// softLimitEasy how much a process may have whose live objects take a third of it.
const (
	softLimitMin  = 384 << 20
	softLimitEasy = 1 << 30
)

// softLimit is how much memory a process may have whose live objects have some size, in steps of 64 MiB. With twice as much as lives, the
// garbage collector does not run without pause; with three times as much, it takes half of that time, so a process with enough memory for
// most machines may have that: a rollout of 2,000 Pods, of which 250 MiB live.
func softLimit(live int64) int64 {
	const step = 64 << 20
	wanted := max(2*live, min(3*live, softLimitEasy))
	return max(softLimitMin, (wanted+step-1)/step*step)
}

// softened is the soft limit that the process has; 0 before the first.
var softened atomic.Int64

// soften adapts the soft limit to what lives. Half of what the process may use is the most, which keeps a large run below its limit; with
// less room, the collector would run without pause. GOMEMLIMIT is stronger.
func (l Limits) soften() {
	if os.Getenv("GOMEMLIMIT") != "" || l.Memory == 0 {
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	limit := min(softLimit(int64(live[0].Value.Uint64())), l.Memory/2)
	if softened.Swap(limit) != limit {
		debug.SetMemoryLimit(limit)
	}
}
