package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/scenarios/cli/sandbox"
	"github.com/kubestep/kubestep/sim/trace"
)

// The limits of --untrusted, unless their flags are given.
const (
	untrustedTimeout   = time.Minute
	untrustedMemory    = "1Gi"
	untrustedRecords   = 1_000_000
	untrustedCheckWork = 500_000_000
)

// LimitFlags are the flags for what a run may use.
type LimitFlags struct {
	Limits limits.Limits
	// MaxMemory is Limits.Memory as it was given.
	MaxMemory string
	// Given are the limits on the command line, such as "--timeout 30s", by the reason of a halt that exceeds one.
	Given map[trace.HaltReason]string
	// Untrusted runs the scenario in a sandbox, and Required refuses to run it in an incomplete one.
	Untrusted, Required bool
}

// AddTo adds the flags to a command.
func (f *LimitFlags) AddTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.MaxMemory, "max-memory", limits.DefaultMemory,
		"abort when the process exceeds this `SIZE`, such as 512Mi or 2Gi; 0 means no limit")
	cmd.Flags().DurationVar(&f.Limits.Timeout, "timeout", 0,
		"abort when the run takes longer than this `DURATION` of real time, such as 30s; 0 means no limit")
	cmd.Flags().Int64Var(&f.Limits.Records, "max-records", 0, "abort when the trace has this `NUMBER` of records; 0 means no limit")
	cmd.Flags().BoolVar(&f.Untrusted, "untrusted", false,
		"run an untrusted scenario without file or network access (on Linux), and with limits")
	cmd.Flags().BoolVar(&f.Required, "require-sandbox", false,
		"with --untrusted, refuse to run on a system that does not support the whole sandbox")
}

// addBounds adds the flags that all commands have which take a scenario or a trace.
func (f *LimitFlags) addBounds(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.MaxMemory, "max-memory", limits.DefaultMemory,
		"abort when a process exceeds this `SIZE`, such as 512Mi or 2Gi; 0 means no limit")
	cmd.Flags().DurationVar(&f.Limits.Timeout, "timeout", 0,
		"abort when the command takes longer than this `DURATION` of real time, such as 30s; 0 means no limit")
}

type boundKey struct{}

// bound is the watch of Bounded.
type bound struct {
	stop func()
	// exceeded is called once, from another goroutine.
	exceeded atomic.Pointer[func(trace.Halt)]
}

// Bounded gives a command that takes a scenario or a trace the limits of kubestep run, --timeout and --max-memory: for all that it
// does in this process, and for each run that it starts in another one. It ends with exit code 5 when it exceeds one. The context
// of the command carries the limits (limits.Of).
func Bounded(streams Streams, cmd *cobra.Command) *cobra.Command {
	flags := &LimitFlags{}
	flags.addBounds(cmd)
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := flags.Complete(cmd); err != nil {
			return err
		}
		watch := &bound{}
		end := func(halt trace.Halt) {
			PrintError(streams.Stderr(), halt.Message, "a smaller file, a shorter horizon, or a larger "+limits.Flag(halt))
			interrupt.Exit(ExitLimit)
		}
		watch.exceeded.Store(&end)
		watch.stop = sync.OnceFunc(flags.Limits.Bound(func(halt trace.Halt) { (*watch.exceeded.Load())(halt) }))
		defer watch.stop()
		ctx := cmd.Context()
		if ctx == nil {
			ctx = context.Background()
		}
		cmd.SetContext(context.WithValue(limits.With(ctx, flags.Limits), boundKey{}, watch))
		return CatchDamage(func() error { return run(cmd, args) })
	}
	return cmd
}

// Unbound ends the watch of Bounded: from here on, the command waits for people. Runs that it starts keep the limits.
func Unbound(ctx context.Context) {
	if watch, ok := ctx.Value(boundKey{}).(*bound); ok {
		watch.stop()
	}
}

// BoundContext returns a context that ends when the command exceeds a limit of Bounded, with a *limits.Error as the cause. The process
// continues, for a command that hands out what it has by then.
func BoundContext(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	if watch, ok := ctx.Value(boundKey{}).(*bound); ok {
		end := func(halt trace.Halt) { cancel(&limits.Error{Halt: halt}) }
		watch.exceeded.Store(&end)
	}
	return ctx, func() { cancel(nil) }
}

// Complete checks the flags, after setting those that --untrusted has values for.
func (f *LimitFlags) Complete(cmd *cobra.Command) error {
	f.Given = map[trace.HaltReason]string{}
	for _, reason := range []trace.HaltReason{trace.HaltMemory, trace.HaltTimeout, trace.HaltRecords} {
		name := limits.Flag(trace.Halt{Reason: reason})
		if flag := cmd.Flags().Lookup(strings.TrimPrefix(name, "--")); flag != nil && flag.Changed {
			f.Given[reason] = name + " " + flag.Value.String()
		}
	}
	if f.Untrusted {
		f.distrust(cmd)
	}
	if f.Required && !f.Untrusted {
		return Usage("--require-sandbox needs --untrusted", "--untrusted --require-sandbox")
	}
	var err error
	if f.Limits.Memory, err = ParseMemory(f.MaxMemory); err != nil {
		return err
	}
	if f.Limits.Records < 0 {
		return Usage(fmt.Sprintf("--max-records %d is negative", f.Limits.Records), "--max-records 1000000")
	}
	if f.Limits.Timeout < 0 {
		return Usage(fmt.Sprintf("--timeout %s is negative", f.Limits.Timeout), "--timeout 30s")
	}
	return nil
}

// distrust sets the limits that have no flag on the command line.
func (f *LimitFlags) distrust(cmd *cobra.Command) {
	if !cmd.Flags().Changed("timeout") {
		f.Limits.Timeout = untrustedTimeout
	}
	if !cmd.Flags().Changed("max-memory") {
		f.MaxMemory = untrustedMemory
	}
	if !cmd.Flags().Changed("max-records") {
		f.Limits.Records = untrustedRecords
	}
}

// Arguments are the flags as arguments.
func (f *LimitFlags) Arguments() []string {
	args := []string{
		"--timeout", f.Limits.Timeout.String(), "--max-memory", f.MaxMemory, "--max-records", strconv.FormatInt(f.Limits.Records, 10),
	}
	if f.Untrusted {
		args = append(args, "--untrusted")
	}
	if f.Required {
		args = append(args, "--require-sandbox")
	}
	return args
}

// Sandbox are the limits of a process in the sandbox.
func (f *LimitFlags) Sandbox() sandbox.Limits {
	return sandbox.Limits{Timeout: f.Limits.Timeout, Memory: f.Limits.Memory}
}

// CheckWork is the work that conditions may do; 0 means the default.
func (f *LimitFlags) CheckWork() uint64 {
	if f.Untrusted {
		return untrustedCheckWork
	}
	return 0
}

// AfterLimit is what helps against an error that a limit caused; "" for any other error.
func AfterLimit(err error) (try string) {
	var exceeded *limits.Error
	var much *limits.WorkError
	var stopped *sandbox.LimitError
	switch {
	case errors.As(err, &exceeded):
		try, _ = limits.Exceeded(exceeded.Halt)
	case errors.As(err, &much):
		try = much.Try
	case errors.As(err, &stopped):
		try = "a smaller scenario, or a larger " + stopped.Flag
	}
	return try
}

// IsLimit reports whether a limit caused an error.
func IsLimit(err error) bool { return AfterLimit(err) != "" }

// ParseMemory reads the limit of --max-memory, in bytes; 0 is none.
func ParseMemory(text string) (bytes int64, err error) {
	if bytes, err = limits.ParseMemory(text); err != nil {
		err = Usage("--max-memory "+err.Error(), "--max-memory "+limits.DefaultMemory)
	}
	return bytes, err
}
