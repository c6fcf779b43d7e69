package command

import (
	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/builds/upgrade"
	"github.com/kubestep/kubestep/scenarios/explore/future"
)

// newSnapshot is also the command that upgrade starts the old version with.
func newSnapshot(streams cli.Streams) *cobra.Command {
	var options upgrade.SnapshotOptions
	var span spanFlags
	var seed int64
	cmd := &cobra.Command{
		Use:   "snapshot FILE",
		Short: "Write the state of a cluster during a run as a scenario",
		Long: `Run a scenario until a virtual time, and write a scenario that begins there: with all objects of the store, their
uids, resourceVersions, managed fields and status, and with the steps and spec.futures that have not begun yet. It has
no checks and no spec.faults. Its controllers start at time zero, as after a restart of the control plane.

FILE is a scenario file or the name of a scenario that comes with kubestep. The scenario is written to standard
output unless --out names a file. It contains the values of Secrets, so only you can read the file.`,
		Example: `  kubestep snapshot rolling-update --at 20s --out later.yaml
  kubestep snapshot rolling-update --at 20s --future 16s:42
  kubestep snapshot rolling-update --at 20s --kubernetes 1.35 --out old.yaml`,
		Args: cli.OneScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("seed") {
				options.Seed = &seed
			}
			options.Span = span.of(cmd)
			return upgrade.Snapshot(streams, args[0], options)
		},
	}
	span.addTo(cmd, "virtual `TIME` of the snapshot", "`DURATION` that the new scenario runs")
	cmd.Flags().Int64Var(&seed, "seed", 0, "run with this `SEED` instead of the scenario's")
	cmd.Flags().StringArrayVar(&options.Futures, future.Flag, nil, future.Usage)
	cmd.Flags().StringVar(&options.Out, "out", "", "write the scenario to the file `PATH`")
	cmd.Flags().BoolVar(&options.Force, "force", false, "with --out, replace an existing file")
	return cmd
}
