package command

import (
	"maps"
	"os"
	"os/signal"
	"slices"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/scenarios/cli/sandbox"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// newWorker is the command that explore and shrink start their processes with; nobody types it.
func newWorker(streams cli.Streams) *cobra.Command {
	flags := &cli.LimitFlags{}
	cmd := &cobra.Command{
		Use: child.WorkerCommand, Short: "Make the runs that standard input asks for", Hidden: true, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := flags.Complete(cmd); err != nil {
				return err
			}
			if flags.Untrusted {
				// A worker makes many runs, each with the timeout: the processor time of all of them has no limit.
				if err := sandbox.Seal(sandbox.Limits{Memory: flags.Limits.Memory}); err != nil {
					return err
				}
			}
			// Ctrl-C reaches all processes of a terminal; the one that started this one decides.
			signal.Ignore(os.Interrupt)
			flags.Limits.TuneGarbageCollector()
			server := &child.Server{
				Out: streams.Out, Limits: flags.Limits, CheckWork: flags.CheckWork(), Controllers: cli.Controllers,
				Exit: func(halt trace.Halt) { os.Exit(exitOf(halt)) },
			}
			return server.Serve(streams.In)
		},
	}
	flags.AddTo(cmd)
	return cmd
}

// exitOf is the exit code of a run that does not end by itself.
func exitOf(halt trace.Halt) int {
	if _, limited := limits.Exceeded(halt); limited {
		return cli.ExitLimit
	}
	return cli.ExitInternal
}

// read opens the scenario of a job.
func read(job child.Job) (*format.Scenario, *runner.Plan, error) {
	return child.Read(job, slices.Sorted(maps.Keys(cli.Controllers)))
}
