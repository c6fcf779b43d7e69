package upgrade

import (
	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// Commands are the commands of this package.
func Commands(streams cli.Streams) []*cobra.Command {
	return []*cobra.Command{cli.Bounded(streams, newSnapshot(streams)), cli.Bounded(streams, newUpgrade(streams))}
}

// newSnapshot is the command that the upgrade starts the old version with.
func newSnapshot(streams cli.Streams) *cobra.Command {
	var of span
	var seed int64
	var out string
	var force bool
	cmd := &cobra.Command{
		Use:   "snapshot FILE",
		Short: "Write the cluster at an instant of a run as a scenario",
		Long: `Run a scenario until a virtual time, and write a scenario that begins there: with all objects of the store, their
uids, resourceVersions, managed fields and status, and with the steps that have not happened yet. It has no
checks and no spec.faults. Its controllers start at time zero, as after a restart of the control plane.

FILE is a scenario file or the name of a scenario that comes with kubestep. The scenario is written to standard
output unless --out names a file. It contains the values of Secrets, so only you can read the file.`,
		Example: `  kubestep snapshot rolling-update --at 20s --out later.yaml
  kubestep snapshot rolling-update --at 20s --kubernetes 1.35 --out old.yaml`,
		Args: cli.OneScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			scenario, err := runner.Open(args[0])
			if err != nil {
				return err
			}
			rights := output.Rights{Force: force, Private: true}
			if err := output.Check(out, rights); err != nil {
				return err
			}
			options := runner.RunOptions{Controllers: cli.Controllers}
			if cmd.Flags().Changed("seed") {
				options.Seed = &seed
			}
			if err := of.complete(cmd, scenario); err != nil {
				return err
			}
			later, err := Later(scenario, options, of.at, of.length)
			if err != nil {
				return err
			}
			text, err := later.Encode()
			switch {
			case err != nil:
				return err
			case out != "":
				return output.WriteFile(out, text, rights)
			}
			if _, err := streams.Out.Write(text); err != nil {
				return &output.Error{Name: "standard output", Err: err}
			}
			return nil
		},
	}
	of.addTo(cmd, "virtual `TIME` of the snapshot", "`DURATION` that the new scenario runs")
	cmd.Flags().Int64Var(&seed, "seed", 0, "run with this `SEED` instead of the scenario's")
	cmd.Flags().StringVar(&out, "out", "", "write the scenario to the file `PATH`")
	cmd.Flags().BoolVar(&force, "force", false, "with --out, replace an existing file")
	return cmd
}
