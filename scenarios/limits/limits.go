// Package limits bounds what a run uses of its machine: memory, real time, and records. It also notices a simulation that
// makes no progress. All of it is observed from outside the bubble.
package limits

import (
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// frozenLimit is the real time without any progress after which a simulation counts as frozen.
const frozenLimit = 30 * time.Second

// Limits bound what a run may use of the machine; 0 means no limit.
type Limits struct {
	// Memory is in bytes.
	Memory int64
	// Timeout is real time.
	Timeout time.Duration
	// Records is how many a trace may have.
	Records int64
}

// Guard watches a simulation from outside, in real time, and calls abort once if it freezes or exceeds a limit.
func (l Limits) Guard(progress *engine.Progress, abort func(halt trace.Halt)) (stop func()) {
	var once sync.Once
	end := func(halt trace.Halt) { once.Do(func() { abort(halt) }) }
	unfreeze := engine.Watch(progress, frozenLimit, func(frozen *engine.FrozenError) { end(frozenHalt(frozen)) })
	forget := watchMemory(l.Memory, func(used int64) { end(memoryHalt(used, l.Memory, progress)) })
	timer := time.NewTimer(l.Timeout)
	if l.Timeout == 0 {
		timer.Stop()
	}
	done := make(chan struct{})
	go func() {
		select {
		case <-timer.C:
			end(timeoutHalt(l.Timeout, progress))
		case <-done:
		}
	}()
	return func() {
		unfreeze()
		forget()
		timer.Stop()
		close(done)
	}
}

// Counted is a trace.Sink that calls abort behind the last record that the limit allows.
func (l Limits) Counted(progress *engine.Progress, abort func(halt trace.Halt)) trace.Sink {
	return func(record *trace.Record, _ []byte) {
		if l.Records > 0 && record.Seq >= l.Records {
			abort(recordsHalt(l.Records, progress))
		}
	}
}

// Exceeded returns what helps against a halt that a limit caused. It is not ok for one that is a bug.
func Exceeded(halt trace.Halt) (try string, ok bool) {
	const less = "fewer objects, a shorter horizon, or a larger "
	switch halt.Reason {
	case trace.HaltMemory:
		return less + "--max-memory", true
	case trace.HaltTimeout:
		return less + "--timeout", true
	case trace.HaltRecords:
		return less + "--max-records", true
	}
	return "", false
}

func frozenHalt(frozen *engine.FrozenError) trace.Halt {
	return trace.Halt{Reason: trace.HaltFrozen, Message: frozen.Error(), Actors: frozen.Actors, Stack: frozen.Stuck}
}

func memoryHalt(used, limit int64, progress *engine.Progress) trace.Halt {
	quantity := func(bytes int64) string { return resource.NewQuantity(bytes, resource.BinarySI).String() }
	const mebibyte = 1 << 20
	return trace.Halt{Reason: trace.HaltMemory, Message: fmt.Sprintf(
		"the process uses %s of memory, more than the limit of %s, at virtual time %s",
		quantity(used/mebibyte*mebibyte), quantity(limit), reached(progress))}
}

func timeoutHalt(limit time.Duration, progress *engine.Progress) trace.Halt {
	return trace.Halt{Reason: trace.HaltTimeout, Message: fmt.Sprintf(
		"the run takes longer than %s of real time; it is at virtual time %s", limit, reached(progress))}
}

func recordsHalt(limit int64, progress *engine.Progress) trace.Halt {
	return trace.Halt{Reason: trace.HaltRecords, Message: fmt.Sprintf(
		"the trace has more than %s, at virtual time %s", trace.Count(limit, "record"), reached(progress))}
}

// reached is the virtual time of a run.
func reached(progress *engine.Progress) time.Duration {
	return time.Duration(progress.Virtual.Load()).Round(time.Millisecond)
}

// TuneGarbageCollector spends memory to save time: a run is short, and most of its garbage comes from objects that live
// for one request. A soft limit of half of what the run may use keeps a large run below its limit; with less room, the
// collector would run without pause.
func (l Limits) TuneGarbageCollector() {
	const percent = 400
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
	if os.Getenv("GOMEMLIMIT") == "" && l.Memory > 0 {
		debug.SetMemoryLimit(l.Memory / 2)
	}
}
