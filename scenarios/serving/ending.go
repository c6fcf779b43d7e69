package serving

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/serving/internal/session"
	"github.com/kubestep/kubestep/sim/trace"
)

// unbegun says why there was no session: it ended before the steps of the scenario were taken, or one of them did not do what it
// should.
func unbegun(streams cli.Streams, s *session.Session, outcome *runner.Outcome, err error) error {
	switch {
	case s.Door.IsStopping() && !s.Door.IsOpen():
		fmt.Fprintln(streams.Out, "The session ended before the steps of the scenario were taken; there is nothing to save")
		return nil
	case err != nil:
		return err
	}
	fmt.Fprintln(streams.Err, "Error: the session ended before it began, because a step of the scenario failed")
	for _, check := range failed(outcome) {
		fmt.Fprintf(streams.Err, "  %s: %s\n", check.Name, check.Message)
	}
	if outcome.Error != "" {
		fmt.Fprintln(streams.Err, "  "+outcome.Error)
	}
	return cli.ErrChecksFailed
}

// failed are the checks of the scenario that fail, without the rules that every run checks.
func failed(outcome *runner.Outcome) []runner.CheckResult {
	return slices.DeleteFunc(slices.Clone(outcome.Checks), func(c runner.CheckResult) bool {
		return c.Result != runner.Fail || c.Invariant
	})
}

// finish says what the session was, and saves it.
func finish(streams cli.Streams, o *Options, s *session.Session, outcome *runner.Outcome) error {
	count, lost := s.Steps()
	end := virtual(outcome)
	fmt.Fprintf(streams.Out, "The session took %s of virtual time and has %s; trace hash %s\n",
		end, trace.Count(count, "write"), outcome.TraceHash)
	if err := s.AuditError(); err != nil {
		return &output.Error{Name: o.AuditLog, Err: err}
	}
	if outcome.Error != "" {
		fmt.Fprintf(streams.Err, "Warning: the run ended with an error: %s\n", outcome.Error)
	}
	if o.Save == "" {
		return nil
	}
	var names []string
	for _, check := range failed(outcome) {
		names = append(names, check.Name)
	}
	if len(names) > 0 {
		fmt.Fprintf(streams.Err, "Warning: checks of the scenario fail, and will in a run of %s: %s\n", o.Save, strings.Join(names, ", "))
	}
	text, err := s.Scenario(end)
	if err != nil {
		return err
	}
	if err := output.WriteFile(o.Save, text, o.private()); err != nil {
		return err
	}
	if lost != "" {
		fmt.Fprintf(streams.Err, "Warning: a run of %s has another trace: %s\n", o.Save, lost)
	}
	if info, err := os.Lstat(o.Save); err != nil || !info.Mode().IsRegular() {
		return nil // a pipe or a device has taken it
	}
	fmt.Fprintf(streams.Out, "wrote %s; next: kubestep run %s\n", o.Save, o.Save)
	if lost != "" || len(names) > 0 || o.UntilEOF || outcome.Error != "" {
		return nil
	}
	return replay(streams, o, end, outcome.TraceHash)
}

// virtual is how long a session took.
func virtual(outcome *runner.Outcome) time.Duration {
	return time.Duration(outcome.VirtualSeconds * float64(time.Second)).Round(time.Millisecond)
}

// replay runs the saved session in a process of its own, and compares the trace hashes. Ctrl-C ends that, and the file stays.
func replay(streams cli.Streams, o *Options, end time.Duration, hash string) error {
	ctx, stop := interrupt.Context(context.Background())
	defer stop()
	var at atomic.Int64
	erase := output.ShowLine(streams.Stderr(), func(time.Duration) string {
		return fmt.Sprintf("comparing a run of %s with the session: %s of %s", o.Save, time.Duration(at.Load()).Round(time.Second), end)
	})
	result, err := child.Run{File: o.Save}.Follow(ctx, func(record *trace.Record) error {
		at.Store(int64(record.At))
		return nil
	})
	erase()
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(streams.Out, "The trace hash of a run is not compared with that of the session")
		return nil
	case err != nil:
		return fmt.Errorf("comparing a run of %s with the session: %w", o.Save, err)
	case result.Hash != hash:
		message := fmt.Sprintf("a run of %s has the trace hash %s, and not that of the session", o.Save, result.Hash)
		cli.PrintError(streams.Err, message, "kubestep serve --trace-out session.jsonl, and then kubestep diff session.jsonl "+o.Save)
		return cli.ErrChecksFailed
	}
	fmt.Fprintf(streams.Out, "A run of %s has the same trace hash\n", o.Save)
	return nil
}
