package command

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

func newValidate(streams cli.Streams) *cobra.Command {
	var own []string
	cmd := &cobra.Command{
		Use:   "validate FILE...",
		Short: "Check scenario files without running them",
		Long: `Check scenario files without running them: the format, the expressions, and each manifest with the
validation of the API server. The command also starts the controllers of a scenario, without its steps, since
some of them check their configuration only at the start. Faults that cannot apply to anything are warnings.

The command exits with code 5 when the first ten virtual seconds of a scenario have more than 500,000 events, or
when it exceeds --timeout or --max-memory.

Use --controller for controllers that exist only in a Go test of yours.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usage("validate needs a scenario", "kubestep validate FILE")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			var all source.ErrorList
			for _, file := range args {
				err := validate(streams, file, own)
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
	cmd.Flags().StringSliceVar(&own, "controller", nil, "`NAME` of a controller that only a Go test has; may be repeated")
	return cmd
}

// validate checks one file. own are the names of controllers that are not here.
func validate(streams cli.Streams, file string, own []string) error {
	brought := maps.Clone(cli.Controllers)
	if brought == nil {
		brought = map[string]controllers.Custom{}
	}
	for _, name := range own {
		brought[name] = func(ctx context.Context, _ controllers.Clients) error {
			<-ctx.Done()
			return nil
		}
	}
	scenario, plan, err := child.Read(child.Job{File: file}, slices.Sorted(maps.Keys(brought)))
	if err != nil {
		return err
	}
	options := runner.RunOptions{Controllers: brought, Progress: &engine.Progress{}}
	// cli.Bounded has the limits of the command; here, only a simulation that freezes is noticed.
	defer limits.Limits{}.Guard(options.Progress, func(halt trace.Halt) { interrupt.Exit(cli.PrintHalt(streams, halt)) })()
	warnings, err := plan.Start(options)
	if err != nil {
		return err
	}
	for _, w := range warnings {
		fmt.Fprintf(streams.Stderr(), "Warning: %v\nTry: %s\n", w, w.Try)
	}
	if len(scenario.Spec.Steps) == 0 {
		fmt.Fprintf(streams.Stdout(), "%s: ok, a cluster without steps; kubectl can use it: kubestep serve %s\n", file, file)
		return nil
	}
	fmt.Fprintf(streams.Stdout(), "%s: ok, %s, %s\n", file,
		trace.Count(len(scenario.Spec.Steps), "step"), trace.Count(len(scenario.Spec.Checks), "check"))
	return nil
}
