package command

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/child"
	"github.com/kubestep/kubestep/scenarios/limits"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/source"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

func newValidate(streams Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "validate FILE...",
		Short: "Check scenario files without running them",
		Long: `Check scenario files without running them: the format, the expressions, and each manifest with the
validation of the API server. The controllers of a scenario are started, without its steps, since some of
them check their configuration only then. Faults that cannot apply to anything are warnings.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &UsageError{"validate needs a scenario", "kubestep validate FILE"}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			var all source.ErrorList
			for _, file := range args {
				err := validate(streams, file)
				switch e := err.(type) {
				case nil:
				case source.ErrorList:
					all = append(all, e...)
				case *source.Error:
					all = append(all, e)
				default:
					return err
				}
			}
			if len(all) > 0 {
				return all
			}
			return nil
		},
	}
}

// validate checks one file.
func validate(streams Streams, file string) error {
	scenario, plan, err := read(child.Job{File: file})
	if err != nil {
		return err
	}
	defer runner.HoldZone(scenario)()
	options := runner.RunOptions{Controllers: Controllers, Progress: &engine.Progress{}}
	guard := limits.Limits{Memory: limits.DefaultMemoryBytes}
	defer guard.Guard(options.Progress, func(halt trace.Halt) { os.Exit(printHalt(streams, halt)) })()
	warnings, err := plan.Start(options)
	if err != nil {
		return err
	}
	for _, w := range warnings {
		fmt.Fprintf(streams.err(), "Warning: %v\nTry: %s\n", w, w.Try)
	}
	fmt.Fprintf(streams.out(), "%s: ok, %s, %s\n", file,
		trace.Count(len(scenario.Spec.Steps), "step"), trace.Count(len(scenario.Spec.Checks), "check"))
	return nil
}
