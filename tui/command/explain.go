package command

import (
	"bufio"
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/reading/rollout"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/command/shell"
)

// explainFlags are the flags of explain rollout.
type explainFlags struct {
	recordedFlags
	numbers rollout.Numbers
	output  string
	sync    string
	all     bool
	width   int
}

func newExplain(streams cli.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "explain",
		Short: "Show how a controller, or kube-proxy, decides",
		Args:  cli.NoArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(cli.Bounded(streams, newExplainRollout(streams)), cli.Bounded(streams, newExplainTraffic(streams)))
	return cmd
}

func newExplainRollout(streams cli.Streams) *cobra.Command {
	flags := &explainFlags{}
	cmd := &cobra.Command{
		Use:   "rollout [FILE]",
		Short: "Show how the Deployment controller computes each step of a rollout",
		Long: `Show how the Deployment controller computes each step of a rollout.

FILE is a scenario file, the name of a scenario that comes with kubestep (see kubestep list), or a
trace that kubestep run wrote (-o jsonl, --trace-out). Without FILE, the command updates the image
of a Deployment with the values of the flags.

kubestep runs the real controller. Each line of the table is a sync that changed something, with the sizes
before and after the sync, and the arithmetic with the values in the controller's cache. --sync shows one sync
step by step, with the Kubernetes function of each step. Given as a record, the sync can also belong to the
controllers of ReplicaSets, StatefulSets, DaemonSets, Jobs, CronJobs, HorizontalPodAutoscalers,
PodDisruptionBudgets and EndpointSlices.`,
		Example: `  kubestep explain rollout --replicas 10 --max-surge 25% --max-unavailable 25%
  kubestep explain rollout --replicas 4 --max-surge 1 --max-unavailable 0 -o json
  kubestep explain rollout c08
  kubestep explain rollout trace.jsonl --sync 5.083s`,
		Args: cli.AtMostOneScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := flags.check(cmd.Flags()); err != nil {
				return err
			}
			for _, name := range []string{"replicas", "max-surge", "max-unavailable"} {
				if len(args) > 0 && cmd.Flags().Changed(name) {
					return cli.Usage(fmt.Sprintf("--%s cannot be combined with a file; %s has its own values", name, args[0]),
						"the flags without "+args[0]+", or "+args[0]+" without the flags")
				}
			}
			return explainRollout(streams, args, flags)
		},
	}
	cmd.Flags().Int32Var(&flags.numbers.Replicas, "replicas", 10, "`NUMBER` of replicas of the Deployment")
	cmd.Flags().StringVar(&flags.numbers.Surge, "max-surge", "25%", "`NUMBER or PERCENTAGE` for spec.strategy.rollingUpdate.maxSurge")
	cmd.Flags().StringVar(&flags.numbers.Unavailable, "max-unavailable", "25%",
		"`NUMBER or PERCENTAGE` for spec.strategy.rollingUpdate.maxUnavailable")
	flags.recordedFlags.add(cmd.Flags())
	shell.OutputFormat(cmd.Flags(), &flags.output, "text", "json")
	cmd.Flags().StringVar(&flags.sync, "sync", "", "show the sync at this `TIME or RECORD` of the table step by step")
	cmd.Flags().BoolVar(&flags.all, "all", false, "also show the syncs that changed nothing, with the reason")
	cmd.Flags().IntVar(&flags.width, "width", widthOfTerminal,
		"cut or wrap the lines of the text form at `COLUMNS`; 0 means no limit, -1 the width of the terminal")
	return cmd
}

func (f *explainFlags) validate() error {
	return cmp.Or(cli.CheckOutput(f.output), checkWidth(f.width))
}

// explainRollout plays or reads a recording and explains it.
func explainRollout(streams cli.Streams, args []string, flags *explainFlags) error {
	if err := flags.validate(); err != nil {
		return err
	}
	rec, err := flags.recording(streams, args)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(streams.Stdout())
	defer out.Flush()
	options := rollout.Options{All: flags.all, JSON: flags.output == "json", Width: columns(streams.Out, flags.width)}
	if flags.sync != "" {
		return usageOf(rollout.New(rec).PrintSync(out, flags.sync, options))
	}
	return usageOf(rollout.New(rec).Print(out, options))
}

// recording plays the rollout of the flags, or the scenario, or reads the trace.
func (f *explainFlags) recording(streams cli.Streams, args []string) (*recording.Recording, error) {
	if len(args) > 0 {
		return recorded(streams, args[0], "explain rollout", f.recordedFlags)
	}
	if err := f.numbers.Validate(); err != nil {
		return nil, usageOf(err)
	}
	scenario, err := f.numbers.Scenario()
	if err != nil {
		return nil, err
	}
	return play(streams, scenario, f.recordedFlags)
}
