package command

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/limits"
)

// TestSearchEndsAtLimit ends the context of a search when the command exceeds a limit, so that what was found by then is handed out. The
// exit code is that of the limit.
func TestSearchEndsAtLimit(t *testing.T) {
	var out bytes.Buffer
	streams := cli.Streams{Err: &out}
	var got error
	cmd := cli.Bounded(streams, &cobra.Command{Use: "search", RunE: func(cmd *cobra.Command, _ []string) error {
		ctx, cancel := cli.BoundContext(cmd.Context())
		defer cancel()
		<-ctx.Done()
		got = endedBy(ctx)
		return unfinished(ctx, streams)
	}})
	cmd.SetContext(context.Background())
	cmd.SetArgs([]string{"--timeout", "1ms"})
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err := cmd.Execute()
	var exceeded *limits.Error
	if !errors.As(got, &exceeded) {
		t.Errorf("the search ended by %v", got)
	}
	if code := report(err, &out); code != cli.ExitLimit {
		t.Errorf("exit code %d", code)
	}
	want := "Error: the command takes longer than 1ms of real time: a smaller scenario may exist\n" +
		"Try: kubestep shrink with the result, or a larger --timeout\n"
	if !strings.HasPrefix(out.String(), want) {
		t.Errorf("%s", out.String())
	}
}
