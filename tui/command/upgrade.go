package command

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/builds/upgrade"
	"github.com/kubestep/kubestep/tui/command/shell"
)

func newUpgrade(streams cli.Streams) *cobra.Command {
	var options upgrade.Options
	var span spanFlags
	var seed int64
	cmd := &cobra.Command{
		Use:   "upgrade FILE --from VERSION --to VERSION",
		Short: "Run a cluster's state on another Kubernetes version and show which workloads roll",
		Long: `Run a scenario with one version of Kubernetes until a virtual time. Then start the controllers of another version
on the stored objects, as after an upgrade of the control plane, and show what they do: which Pods are deleted,
restarted or created, which objects the controllers change, and how many requests they send.

The nodes and their Pods keep running. The old version also continues from the same state, so that the report can
separate the effects of the upgrade from those of a restart of the control plane. The remaining steps of the
scenario run after the upgrade. Its faults and checks are omitted.

Both versions must be built: make build KUBERNETES=1.35. The exit code is 0 when the new version deletes, restarts and
creates no Pod that the old one keeps as it is, 1 when it does, and 2 when a version is not built or the scenario
is invalid.`,
		Example: `  kubestep upgrade statefulset --from 1.36 --to 1.37
  kubestep upgrade my.yaml --from 1.34 --to 1.35 --at 5m --trace-out upgraded.kst && kubestep open upgraded.kst`,
		Args: cli.OneScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			if options.From == "" || options.To == "" {
				return cli.Usage("upgrade needs --from and --to", "--from 1.36 --to 1.37")
			}
			if err := cli.CheckOutput(options.Output); err != nil {
				return err
			}
			if cmd.Flags().Changed("seed") {
				options.Seed = &seed
			}
			options.Span = span.of(cmd)
			return upgrade.Upgrade(cmd.Context(), streams, args[0], options)
		},
	}
	cmd.Flags().StringVar(&options.From, "from", "", "`VERSION` of Kubernetes that creates the state")
	cmd.Flags().StringVar(&options.To, "to", "", "`VERSION` of Kubernetes that starts from that state")
	span.addTo(cmd, "virtual `TIME` of the upgrade", "`DURATION` that the new version runs")
	cmd.Flags().Int64Var(&seed, "seed", 0, "run with this `SEED` instead of the scenario's")
	shell.OutputFormat(cmd.Flags(), &options.Output, "text", "json")
	cmd.Flags().StringVar(&options.TraceOut, "trace-out", "",
		"also write the trace of the new version to the file `PATH`, as kubestep run does")
	cmd.Flags().BoolVar(&options.Force, "force", false, "with --trace-out, replace a file that is not a trace")
	return cmd
}

// spanFlags are the flags for when a scenario is cut in two.
type spanFlags struct{ at, length time.Duration }

// addTo adds the flags --at and --for to a command.
func (f *spanFlags) addTo(cmd *cobra.Command, at, length string) {
	cmd.Flags().DurationVar(&f.at, "at", 0, at+" (default the end of the scenario)")
	cmd.Flags().DurationVar(&f.length, "for", 10*time.Minute, length)
}

// of is what the flags of the command say.
func (f *spanFlags) of(cmd *cobra.Command) upgrade.Span {
	span := upgrade.Span{For: f.length}
	if cmd.Flags().Changed("at") {
		span.At = &f.at
	}
	return span
}
