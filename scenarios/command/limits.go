package command

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/scenarios/cli/sandbox"
	"github.com/kubestep/kubestep/sim/trace"
)

// limitFlags are the flags for what a run may use.
type limitFlags struct {
	limits limits.Limits
	// maxMemory is limits.Memory as it was given.
	maxMemory string
	// untrusted runs the scenario in a sandbox, and required refuses to run it in an incomplete one.
	untrusted, required bool
}

// add adds the flags to a command.
func (f *limitFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.maxMemory, "max-memory", limits.DefaultMemory,
		"abort when the process exceeds this `SIZE`, such as 512Mi or 2Gi; 0 means no limit")
	cmd.Flags().DurationVar(&f.limits.Timeout, "timeout", 0,
		"abort when the run takes longer than this `DURATION` of real time, such as 30s; 0 means no limit")
	cmd.Flags().Int64Var(&f.limits.Records, "max-records", 0, "abort when the trace has this `NUMBER` of records; 0 means no limit")
	cmd.Flags().BoolVar(&f.untrusted, "untrusted", false,
		"run a scenario of somebody else: out of reach of files and the network (on Linux), and with limits")
	cmd.Flags().BoolVar(&f.required, "require-sandbox", false,
		"with --untrusted, refuse to run where the system lacks a part of the sandbox")
}

// addBounds adds the flags that all commands have which take a scenario or a trace.
func (f *limitFlags) addBounds(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.maxMemory, "max-memory", limits.DefaultMemory,
		"abort when a process exceeds this `SIZE`, such as 512Mi or 2Gi; 0 means no limit")
	cmd.Flags().DurationVar(&f.limits.Timeout, "timeout", 0,
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
	flags := &limitFlags{}
	flags.addBounds(cmd)
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := flags.complete(cmd); err != nil {
			return err
		}
		watch := &bound{}
		end := func(halt trace.Halt) {
			printError(streams.err(), halt.Message, "a smaller file, a shorter horizon, or a larger "+limits.Flag(halt))
			interrupt.Exit(ExitLimit)
		}
		watch.exceeded.Store(&end)
		watch.stop = sync.OnceFunc(flags.limits.Bound(func(halt trace.Halt) { (*watch.exceeded.Load())(halt) }))
		defer watch.stop()
		ctx := cmd.Context()
		if ctx == nil {
			ctx = context.Background()
		}
		cmd.SetContext(context.WithValue(limits.With(ctx, flags.limits), boundKey{}, watch))
		return run(cmd, args)
	}
	return cmd
}

// Unbound ends the watch of Bounded: from here on, the command waits for people. Runs that it starts keep the limits.
func Unbound(ctx context.Context) {
	if watch, ok := ctx.Value(boundKey{}).(*bound); ok {
		watch.stop()
	}
}

// boundContext returns a context that ends when the command exceeds a limit of Bounded, with a *limits.Error as the cause. The process
// continues, for a command that hands out what it has by then.
func boundContext(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	if watch, ok := ctx.Value(boundKey{}).(*bound); ok {
		end := func(halt trace.Halt) { cancel(&limits.Error{Halt: halt}) }
		watch.exceeded.Store(&end)
	}
	return ctx, func() { cancel(nil) }
}

// complete checks the flags, after setting those that --untrusted has values for.
func (f *limitFlags) complete(cmd *cobra.Command) error {
	if f.untrusted {
		f.distrust(cmd)
	}
	if f.required && !f.untrusted {
		return &UsageError{"--require-sandbox needs --untrusted", "--untrusted --require-sandbox"}
	}
	var err error
	if f.limits.Memory, err = parseMemory(f.maxMemory); err != nil {
		return err
	}
	if f.limits.Records < 0 {
		return &UsageError{fmt.Sprintf("--max-records %d is negative", f.limits.Records), "--max-records 1000000"}
	}
	if f.limits.Timeout < 0 {
		return &UsageError{fmt.Sprintf("--timeout %s is negative", f.limits.Timeout), "--timeout 30s"}
	}
	return nil
}

// args are the flags as arguments.
func (f *limitFlags) args() []string {
	args := []string{
		"--timeout", f.limits.Timeout.String(), "--max-memory", f.maxMemory, "--max-records", strconv.FormatInt(f.limits.Records, 10),
	}
	if f.untrusted {
		args = append(args, "--untrusted")
	}
	if f.required {
		args = append(args, "--require-sandbox")
	}
	return args
}

// sandbox are the limits of a process in the sandbox.
func (f *limitFlags) sandbox() sandbox.Limits {
	return sandbox.Limits{Timeout: f.limits.Timeout, Memory: f.limits.Memory}
}

// checkWork is the work that conditions may do; 0 means the default.
func (f *limitFlags) checkWork() uint64 {
	if f.untrusted {
		return untrustedCheckWork
	}
	return 0
}

// afterLimit is what helps against an error that a limit caused; "" for any other error.
func afterLimit(err error) (try string) {
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

// isLimit reports whether a limit caused an error.
func isLimit(err error) bool { return afterLimit(err) != "" }

// parseMemory reads the limit of --max-memory, in bytes; 0 is none.
func parseMemory(text string) (bytes int64, err error) {
	if bytes, err = limits.ParseMemory(text); err != nil {
		err = &UsageError{"--max-memory " + err.Error(), "--max-memory " + limits.DefaultMemory}
	}
	return bytes, err
}
