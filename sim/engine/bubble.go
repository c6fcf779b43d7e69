package engine

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kubestep/kubestep/sim/process/random"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
)

// PanicError is a panic inside a bubble, with the stack of the goroutine that caused it.
type PanicError struct {
	Value any
	Stack []byte
	// Left lists the actors whose goroutines did not end with their simulation.
	Left []string
}

// Error implements error.
func (p *PanicError) Error() string {
	text := fmt.Sprintf("panic: %v", p.Value)
	if len(p.Left) > 0 {
		text += ": goroutines of " + strings.Join(p.Left, ", ") + " did not end with the simulation"
	}
	return text
}

// forgiven are goroutines that may stay behind, since their users can do nothing about it: what their stacks contain. The work queue of
// controller-runtime v0.24 hands a key to a worker that has left when the queue shuts down, and waits for it forever. Upstream's kubelet
// has goroutines that end with its process alone.
var forgiven = []string{"\ncreated by sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue.New", `"actor":"kubelet@`, `"actor": "kubelet@`}

func isForgiven(stack string) bool {
	return slices.ContainsFunc(forgiven, func(text string) bool { return strings.Contains(stack, text) })
}

// leftBehind describes synctest's report of goroutines that nothing can wake any more: their stacks, in a dump of all, say
// where they wait. It returns nil if all of them are forgiven.
func leftBehind(value any, dump string) *PanicError {
	var waiting []string
	excused := 0
	for _, stack := range strings.Split(dump, "\n\n") {
		header, _, _ := strings.Cut(stack, "\n")
		switch {
		case !strings.Contains(header, "synctest bubble") || !strings.Contains(header, "(durable)"):
		case isForgiven(stack):
			excused++
		default:
			waiting = append(waiting, stack)
		}
	}
	if excused > 0 && len(waiting) == 0 {
		return nil
	}
	left := strings.Join(waiting, "\n\n")
	return &PanicError{Value: value, Stack: []byte(left), Left: actorsIn(left)}
}

// Bubble runs f as the root goroutine of a new bubble whose clock begins at start, which must not be before the year
// 2000. It returns when f has returned and every goroutine started in the bubble has ended. A panic of f, and the
// deadlock that synctest reports when goroutines are left, are returned as *PanicError, and in a program with the race
// detector what that one finds meanwhile as *RaceError. f must not end its goroutine (runtime.Goexit, and so FailNow and
// Fatal of a test).
func Bubble(start time.Time, f func()) error {
	if DetectsRaces {
		return detecting(func() error { return bubble(start, f) })
	}
	return bubble(start, f)
}

func bubble(start time.Time, f func()) (err error) {
	defer func() {
		value := recover()
		if text := fmt.Sprint(value); value != nil && strings.Contains(text, "deadlock") {
			if left := leftBehind(value, string(stacks())); left != nil {
				err = left
			}
		} else if value != nil {
			err = &PanicError{Value: value, Stack: debug.Stack()}
		}
	}()
	random.Hold() // in a bubble, the first call in a process would draw from the goroutine's streams, and no other one
	defer exact.OneProcessor()()
	// synctest needs a running test, and here there is none, but it makes little use of it. In Go 1.26 the bubble's
	// main goroutine runs f under its own testing.T, whose parent is the given one (testingSynctestTest and tRunner in
	// testing/testing.go). Of the parent it copies name, level, chatty and tstate, all of them zero, and checks whether
	// it is in its cleanup, which it is not. The child only uses what is zero or nil by default: tRunner reads the nil
	// tstate after a panic, a Goexit, a subtest or Parallel, of which the function below recovers the first; it must
	// not do the others, and no other code has access to the child. At the end nothing is reported, because the child
	// belongs to a bubble, and the parent is only marked as having run. It fails only if the race detector has found
	// something in the meantime, which is the case that detecting is for. TestWhatTestingReadsOfATest checks this against Go's sources.
	synctest.Test(new(testing.T), func(*testing.T) {
		defer func() {
			// Recover here to let the bubble end; a panic that leaves it kills the process.
			if value := recover(); value != nil {
				err = &PanicError{Value: value, Stack: debug.Stack()}
			}
		}()
		SetDate(start)
		f()
		// Time ends with this function. Some of upstream's goroutines wait for a deadline and ignore their context:
		// attaching a CSI volume, for example, waits two minutes for it.
		time.Sleep(lastDeadlines)
	})
	return err
}

// SetDate makes the clock of a bubble in which nothing happens yet show a date, which must not be before the year 2000.
// No timer exists, so a sleep of 25 years costs nothing.
func SetDate(date time.Time) {
	if wait := time.Until(date); wait > 0 {
		time.Sleep(wait)
	}
}

// lastDeadlines is how long a bubble waits for goroutines that outlive their simulation.
const lastDeadlines = 10 * time.Minute
