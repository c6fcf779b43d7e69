package command

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"
)

// explainFlags are the flags of explain rollout.
type explainFlags struct {
	rollout rolloutFlags
	seed    int64
	seedSet bool
	output  string
	sync    string
	all     bool
	width   int
}

func newExplain(streams Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "explain",
		Short: "Show the arithmetic behind what a controller does",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newExplainRollout(streams))
	return cmd
}

func newExplainRollout(streams Streams) *cobra.Command {
	flags := &explainFlags{}
	cmd := &cobra.Command{
		Use:   "rollout [FILE]",
		Short: "Show how the Deployment controller computes each step of a rollout",
		Long: `Show how the Deployment controller computes each step of a rollout.

FILE is a scenario file, the name of a scenario that comes with kubestep (see kubestep list), or a
trace that kubestep run wrote (-o jsonl, --trace-out). Without FILE a Deployment with the numbers of the
flags gets a new image.

The real controller runs. Each line of the table is a sync that changed something, with the sizes before
and after it and the arithmetic of what the controller had in its cache then. --sync shows one of them
step by step, with the functions of Kubernetes where each step is taken.`,
		Example: `  kubestep explain rollout --replicas 10 --max-surge 25% --max-unavailable 25%
  kubestep explain rollout --replicas 4 --max-surge 1 --max-unavailable 0 -o json
  kubestep explain rollout c08
  kubestep explain rollout trace.jsonl --sync 5.083s`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			flags.seedSet = cmd.Flags().Changed("seed")
			for _, name := range []string{"replicas", "max-surge", "max-unavailable"} {
				if len(args) > 0 && cmd.Flags().Changed(name) {
					return &UsageError{fmt.Sprintf("--%s is for a rollout without a file; %s has its own", name, args[0]),
						"the flags without " + args[0] + ", or " + args[0] + " without the flags"}
				}
			}
			return explainRollout(streams, args, flags)
		},
	}
	cmd.Flags().Int32Var(&flags.rollout.replicas, "replicas", 10, "replicas of the Deployment")
	cmd.Flags().StringVar(&flags.rollout.surge, "max-surge", "25%", "spec.strategy.rollingUpdate.maxSurge: a number or a percentage")
	cmd.Flags().StringVar(&flags.rollout.unavailable, "max-unavailable", "25%",
		"spec.strategy.rollingUpdate.maxUnavailable: a number or a percentage")
	cmd.Flags().Int64Var(&flags.seed, "seed", 0, "seed, instead of the scenario's")
	cmd.Flags().StringVarP(&flags.output, "output", "o", "text", "text or json")
	cmd.Flags().StringVar(&flags.sync, "sync", "", "show one sync, of this TIME or RECORD in the table, step by step")
	cmd.Flags().BoolVar(&flags.all, "all", false, "also the syncs that changed nothing, with the reason why")
	cmd.Flags().IntVar(&flags.width, "width", widthOfTerminal,
		"text: cut or break lines at this many columns; 0 is no limit, and -1 the terminal's width")
	return cmd
}

func (f *explainFlags) validate() error {
	switch {
	case f.output != "text" && f.output != "json":
		return &UsageError{fmt.Sprintf("unknown output %q", f.output), "-o text or -o json"}
	case f.width < widthOfTerminal:
		return &UsageError{fmt.Sprintf("--width %d is negative", f.width), "--width 120"}
	}
	return nil
}

// explainRollout plays or reads a recording and explains it.
func explainRollout(streams Streams, args []string, flags *explainFlags) error {
	if err := flags.validate(); err != nil {
		return err
	}
	var recorded *explained
	var err error
	switch {
	case len(args) == 0:
		if err = flags.rollout.validate(); err != nil {
			return err
		}
		scenario, parseErr := flags.rollout.scenario()
		if parseErr != nil {
			return parseErr
		}
		recorded, err = play(streams, scenario, flags)
	case isTrace(args[0]):
		if flags.seedSet {
			return &UsageError{"--seed is for scenarios; " + args[0] + " is a trace of one run", "kubestep explain rollout " + args[0]}
		}
		rec, readErr := readTrace(args[0])
		if readErr != nil {
			return readErr
		}
		recorded = newExplained(rec, -1)
		recorded.Name = args[0]
	default:
		scenario, openErr := Open(args[0])
		if openErr != nil {
			return openErr
		}
		recorded, err = play(streams, scenario, flags)
	}
	if err != nil {
		return err
	}
	out := bufio.NewWriter(streams.Out)
	defer out.Flush()
	width := columns(streams.Out, flags.width)
	if flags.sync != "" {
		return recorded.printSync(out, flags, width)
	}
	return recorded.print(out, flags, width)
}
