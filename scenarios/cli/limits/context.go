package limits

import (
	"context"
	"strconv"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

type key struct{}

// With returns a context in which runs and readers of files have these limits, in other processes, too.
func With(ctx context.Context, l Limits) context.Context { return context.WithValue(ctx, key{}, l) }

// Of returns the limits of a context; false if nobody has set them.
func Of(ctx context.Context) (Limits, bool) {
	l, ok := ctx.Value(key{}).(Limits)
	return l, ok
}

// Error is work that a limit ended.
type Error struct{ Halt trace.Halt }

// Error implements error.
func (e *Error) Error() string { return e.Halt.Message }

// WorkError is a scenario that is more work than its check may be.
type WorkError struct{ Message, Try string }

// Error implements error.
func (e *WorkError) Error() string { return e.Message }

// Check returns an *Error if a recording was cut off because the run exceeded a limit.
func Check(rec *recording.Recording) error {
	halt := trace.Halt{Reason: rec.Halted, Message: rec.Cut}
	if _, limited := Exceeded(halt); !limited || !rec.Ran {
		return nil
	}
	return &Error{halt}
}

// Args are the limits as the arguments of another kubestep, without those that are its defaults.
func (l Limits) Args() []string {
	var args []string
	if l.Timeout > 0 {
		args = append(args, "--timeout", l.Timeout.String())
	}
	if l.Memory != DefaultMemoryBytes {
		args = append(args, "--max-memory", strconv.FormatInt(l.Memory, 10))
	}
	if l.Records > 0 {
		args = append(args, "--max-records", strconv.FormatInt(l.Records, 10))
	}
	return args
}
