package command

import (
	"bufio"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/sweep"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/command/shell"
)

func newExploreMerge(streams cli.Streams) *cobra.Command {
	to, output := "", "text"
	cmd := &cobra.Command{
		Use:   "merge PATH...",
		Short: "Join the results of shards and group their failures",
		Long: `Join the results of shards and group their failures.

Each PATH is the --out directory of a kubestep explore of the same scenario, with the same --seeds and
--from, and a different shard. The exit codes are those of explore, and 6 when some seeds did not run, whether
or not others failed. The output then lists the missing seeds.`,
		Example: `  kubestep explore merge shard-0 shard-1 shard-2
  kubestep explore merge shard-* --out all -o json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usage("merge needs directories with results", "kubestep explore merge PATH...")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := cli.CheckOutput(output); err != nil {
				return err
			}
			results, err := sweep.Merge(args, to)
			if err != nil {
				return storeError(err)
			}
			out := bufio.NewWriter(streams.Stdout())
			defer out.Flush()
			summary := &sweep.Summary{Results: results, Missing: results.Missing()}
			err = conclude(out, summary, output)
			if len(summary.Missing) > 0 && (err == nil || errors.Is(err, cli.ErrChecksFailed)) {
				return incomplete(summary)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&to, "out", "", "write all results to the directory `PATH`")
	shell.Directory(cmd.Flags(), "out")
	shell.OutputFormat(cmd.Flags(), &output, "text", "json")
	return cmd
}

// incompleteError means that seeds of a sweep did not run.
type incompleteError struct{ message, try string }

// Error implements error.
func (e *incompleteError) Error() string { return e.message }

// incomplete says how the seeds run that did not.
func incomplete(s *sweep.Summary) error {
	plan, first := s.Header.Plan, s.Missing[0]
	command := fmt.Sprintf("kubestep explore %s --seeds %d", s.Header.File, plan.Count)
	if past := s.Header.Past; !past.IsZero() {
		command = fmt.Sprintf("kubestep explore %s --futures %d --at %s --seed %d",
			s.Header.File, plan.Count, cli.ShellWord(past.Until), past.Seed)
	}
	if every := s.Header.Every; !every.IsZero() {
		command = fmt.Sprintf("kubestep explore %s --every --seed %d", s.Header.File, every.Seed)
	}
	if plan.From != 1 {
		command += fmt.Sprintf(" --from %d", plan.From)
	}
	if s.Header.Spaces != "" {
		command += " --faults " + s.Header.Spaces
	}
	if !s.Header.Compared && s.Header.Past.IsZero() {
		command += " --no-comparison"
	}
	if s.Header.History {
		command += " --history"
	}
	if first.Shards > 1 {
		command += fmt.Sprintf(" --shard %d/%d", first.Shard, first.Shards)
	}
	message := fmt.Sprintf("the sweep is incomplete: %d of %s did not run", s.MissingSeeds(), trace.Count(plan.Count, s.Header.Unit()))
	return &incompleteError{message, command + " --out PATH, then merge again"}
}
