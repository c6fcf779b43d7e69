// Package limits bounds what kubestep uses of its machine: memory, real time, and records. All commands that take a scenario or a
// trace have the same limits, since what they read may come from somebody else. A limit ends the process, or the work, with
// exit code 5 and one sentence.
//
// Bound is for work of all kinds, such as reading a trace; Guard is for a simulation, and also notices one that makes no
// progress. Both observe from outside of the bubble, in real time, so they do not change what happens. A context carries the
// limits to runs in other processes (With). What must not depend on the machine has a budget instead: see Plan.Start in package runner.
package limits

import (
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// frozenLimit is the real time without any progress after which a simulation counts as frozen.
const frozenLimit = 30 * time.Second

// Limits bound what a command may use of the machine; 0 means no limit.
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
	unbound := l.bound(progress, end)
	return func() {
		unfreeze()
		unbound()
	}
}

// Bound watches this process, in real time, and calls abort once if it exceeds a limit, from another goroutine.
func (l Limits) Bound(abort func(halt trace.Halt)) (stop func()) {
	var once sync.Once
	return l.bound(nil, func(halt trace.Halt) { once.Do(func() { abort(halt) }) })
}

// bound calls end for each limit that is exceeded. progress is nil if there is no simulation.
func (l Limits) bound(progress *engine.Progress, end func(halt trace.Halt)) (stop func()) {
	forget := l.watchMemory(progress, func(used int64) { end(memoryHalt("the process uses", used, l.Memory, progress)) })
	timer := time.NewTimer(l.Timeout)
	if l.Timeout == 0 {
		timer.Stop()
	}
	done := make(chan struct{})
	go func() {
		waited := int64(0)
		for {
			select {
			case <-timer.C:
			case <-done:
				return
			}
			if progress == nil || !progress.Waits.Load() && progress.Waited.Load() == waited {
				end(timeoutHalt(l.Timeout, progress))
				return
			}
			// It has waited for somebody, which may have taken any time, so it gets the whole time from now on.
			waited = progress.Waited.Load()
			timer.Reset(l.Timeout)
		}
	}()
	return func() {
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
	flag := Flag(halt)
	return "fewer objects, a shorter horizon, or a larger " + flag, flag != ""
}

// Flag is that of the limit which caused a halt; "" if none did.
func Flag(halt trace.Halt) string {
	switch halt.Reason {
	case trace.HaltMemory:
		return "--max-memory"
	case trace.HaltTimeout:
		return "--timeout"
	case trace.HaltRecords:
		return "--max-records"
	}
	return ""
}

func frozenHalt(frozen *engine.FrozenError) trace.Halt {
	return trace.Halt{Reason: trace.HaltFrozen, Message: frozen.Error(), Actors: frozen.Actors, Stack: frozen.Stuck}
}

func memoryHalt(who string, used, limit int64, progress *engine.Progress) trace.Halt {
	quantity := func(bytes int64) string { return resource.NewQuantity(bytes, resource.BinarySI).String() }
	const mebibyte = 1 << 20
	return trace.Halt{Reason: trace.HaltMemory, Message: fmt.Sprintf(
		"%s %s of memory, more than the limit of %s%s", who,
		quantity(used/mebibyte*mebibyte), quantity(limit), at(", at virtual time ", progress))}
}

func timeoutHalt(limit time.Duration, progress *engine.Progress) trace.Halt {
	what := "the run"
	if progress == nil {
		what = "the command"
	}
	return trace.Halt{Reason: trace.HaltTimeout, Message: fmt.Sprintf(
		"%s takes longer than %s of real time%s", what, limit, at("; it is at virtual time ", progress))}
}

func recordsHalt(limit int64, progress *engine.Progress) trace.Halt {
	return trace.Halt{Reason: trace.HaltRecords, Message: fmt.Sprintf(
		"the trace has more than %s, at virtual time %s", trace.Count(limit, "record"), reached(progress))}
}

// at is the virtual time of a run behind some words, and nothing without a run.
func at(words string, progress *engine.Progress) string {
	if progress == nil {
		return ""
	}
	return words + reached(progress).String()
}

// reached is the virtual time of a run.
func reached(progress *engine.Progress) time.Duration {
	return time.Duration(progress.Virtual.Load()).Round(time.Millisecond)
}
