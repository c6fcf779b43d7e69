package command

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestSearchEndsAtLimit ends the context of a search when the command exceeds a limit, so that what was found by then is handed out. The
// exit code is that of the limit.
func TestSearchEndsAtLimit(t *testing.T) {
	var out bytes.Buffer
	streams := Streams{Err: &out}
	var got error
	cmd := Bounded(streams, &cobra.Command{Use: "search", RunE: func(cmd *cobra.Command, _ []string) error {
		ctx, cancel := boundContext(cmd.Context())
		defer cancel()
		watch := ctx.Value(boundKey{}).(*bound)
		(*watch.exceeded.Load())(trace.Halt{Reason: trace.HaltTimeout, Message: "the command takes longer than 1s of real time"})
		got = endedBy(ctx)
		return unfinished(ctx, streams)
	}})
	cmd.SetContext(context.Background())
	cmd.SetArgs(nil)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err := cmd.Execute()
	var exceeded *limits.Error
	if !errors.As(got, &exceeded) {
		t.Errorf("the search ended by %v", got)
	}
	if code := report(err, &out); code != ExitLimit {
		t.Errorf("exit code %d", code)
	}
	want := "Error: the command takes longer than 1s of real time: a smaller scenario may exist\n" +
		"Try: kubestep shrink with the result, or a larger --timeout\n"
	if !strings.HasPrefix(out.String(), want) {
		t.Errorf("%s", out.String())
	}
}
