package command

import (
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/explore/verify"
	"github.com/kubestep/kubestep/tui/command/shell"
)

func newVerify(streams cli.Streams) *cobra.Command {
	format := "text"
	cmd := &cobra.Command{
		Use:   "verify [NAME...]",
		Short: "Compare the trace hashes of the shipped scenarios with those of this machine",
		Long: `Run the scenarios that come with kubestep, each in a process of its own, and compare their trace hashes
with those that were recorded when this version of kubestep was made. NAME is the name of a scenario (see
kubestep list). Without a name, verify runs all scenarios; the stock build omits those whose order it does not
determine. See docs/explanation/determinism.md.

In a build for another version of Kubernetes, verify uses the checks and invariants of the scenarios instead of
the hashes, and omits scenarios that say why they do not pass.

The exit code is 0 when all hashes are the same, and 1 when one differs or a run does not finish.`,
		Example: `  kubestep verify
  kubestep verify rolling-update cronjob
  kubestep verify -o json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return cli.Usage(fmt.Sprintf("unknown output format %q", format), "kubestep verify -o text or -o json")
			}
			list, err := verify.Select(args)
			if err != nil {
				return err
			}
			var done atomic.Int64
			erase := output.ShowLine(streams.Err, func(elapsed time.Duration) string {
				return fmt.Sprintf("%d of %d scenarios, %s", done.Load(), len(list), elapsed.Round(time.Second))
			})
			verify.Run(cmd.Context(), list, func() { done.Add(1) })
			erase()
			return printVerified(streams, verify.NewReport(list), format)
		},
	}
	shell.OutputFormat(cmd.Flags(), &format, "text", "json")
	return cmd
}

// printVerified prints the comparison and returns an error if a hash differs.
func printVerified(streams cli.Streams, report *verify.Report, format string) error {
	var err error
	if format == "json" {
		err = json.NewEncoder(streams.Raw()).Encode(report)
	} else {
		err = report.Write(streams.Stdout())
	}
	switch {
	case err != nil:
		return cli.OutputError("", err)
	case report.Differs > 0:
		return cli.ErrChecksFailed
	}
	return nil
}
