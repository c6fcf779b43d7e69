package engine

import (
	"fmt"
	"runtime/debug"
	"testing"
	"testing/synctest"
	"time"
)

// bubbleEpoch is where the clock of every synctest bubble begins.
var bubbleEpoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// PanicError is a panic inside a bubble, with the stack of the goroutine that caused it.
type PanicError struct {
	Value any
	Stack []byte
}

// Error implements error.
func (p *PanicError) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// Bubble runs f as the root goroutine of a new bubble whose clock begins at start, which must not be
// before the year 2000. It returns when f has returned and every goroutine started in the bubble has
// ended. A panic of f, and the deadlock that synctest reports when goroutines are left behind, come back
// as *PanicError.
func Bubble(start time.Time, f func()) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Value: value, Stack: debug.Stack()}
		}
	}()
	synctest.Test(new(testing.T), func(*testing.T) {
		defer func() {
			// Caught here so that the bubble can end; a panic that crosses its border kills the process.
			if value := recover(); value != nil {
				err = &PanicError{Value: value, Stack: debug.Stack()}
			}
		}()
		// Nothing exists yet that could tick, so one sleep of a quarter century costs nothing.
		if wait := start.Sub(bubbleEpoch); wait > 0 {
			time.Sleep(wait)
		}
		f()
	})
	return err
}
