package command

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/serving"
	"github.com/kubestep/kubestep/scenarios/serving/practice"
)

func newPractice(streams cli.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "practice",
		Short: "Repair clusters with kubectl, and get a grade",
		Long: `Repair clusters with kubectl, and get a grade.

A task is a cluster that is broken or unfinished. Start it in one terminal, and use kubectl in another one. The
checks of a task are about the end, and about the way: a repair that takes the application down fails.

The grade is that of a run of what you did. A report contains this session, so your teacher can run it again.`,
		Example: `  kubestep practice list
  kubestep practice start broken-image
  kubestep practice hint broken-image
  kubestep practice check --report report.json
  kubestep practice verify report.json`,
		Args: cli.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			return cli.Usage("practice needs a command", "kubestep practice list")
		},
	}
	cmd.AddCommand(newPracticeList(streams), newPracticeStart(streams), newPracticeHint(streams), newPracticeCheck(streams),
		newPracticeReset(streams), newPracticeVerify(streams))
	return cmd
}

func newPracticeList(streams cli.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the tasks",
		Args:  cli.NoArguments,
		RunE:  func(*cobra.Command, []string) error { return practice.List(streams) },
	}
}

func newPracticeStart(streams cli.Streams) *cobra.Command {
	var options serving.Options
	cmd := &cobra.Command{
		Use:     "start TASK",
		Short:   "Start the cluster of a task",
		Long:    "Start the cluster of a task, and print the goal. The cluster ends with Ctrl-C.",
		Example: "  kubestep practice start broken-image",
		Args:    cli.OneScenario,
		RunE: func(_ *cobra.Command, args []string) error {
			return practice.Start(streams, args[0], options)
		},
	}
	practiceServer(cmd, &options)
	return cmd
}

// practiceServer adds the flags of the commands that serve a task.
func practiceServer(cmd *cobra.Command, options *serving.Options) {
	cmd.Flags().StringVar(&options.Listen, "listen", "127.0.0.1:0", "listen on this `ADDRESS`, HOST:PORT; port 0 is a free one")
	cmd.Flags().StringVar(&options.Name, "name", practice.Cluster, "name the cluster `CLUSTER`")
}

func newPracticeReset(streams cli.Streams) *cobra.Command {
	var options serving.Options
	cmd := &cobra.Command{
		Use:     "reset",
		Short:   "End the cluster of a task, and start the task again",
		Long:    "End the cluster of a task, and start the task again in this terminal. What you have done is lost.",
		Example: "  kubestep practice reset",
		Args:    cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return practice.Reset(cmd.Context(), streams, options)
		},
	}
	practiceServer(cmd, &options)
	return cmd
}

func newPracticeHint(streams cli.Streams) *cobra.Command {
	return &cobra.Command{
		Use:     "hint TASK [NUMBER]",
		Short:   "Print a hint of a task",
		Example: "  kubestep practice hint broken-image\n  kubestep practice hint broken-image 2",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return cli.Usage(fmt.Sprintf("practice hint takes a task and the number of a hint, not %d arguments", len(args)),
					"kubestep practice hint broken-image 2")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			number := 1
			if len(args) > 1 {
				var err error
				if number, err = strconv.Atoi(args[1]); err != nil {
					return cli.Usage(args[1]+" is not the number of a hint", "kubestep practice hint "+args[0]+" 2")
				}
			}
			return practice.Hint(streams, args[0], number)
		},
	}
}

func newPracticeCheck(streams cli.Streams) *cobra.Command {
	var options practice.CheckOptions
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Grade what you have done so far",
		Long: `Grade what you have done so far: run it again, and print which checks of the task pass. Exit code 1 means that a
check fails. With --report, write the grade together with the session as JSON.`,
		Example: "  kubestep practice check\n  kubestep practice check --report report.json",
		Args:    cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return practice.CheckSession(cmd.Context(), streams, options)
		},
	}
	cmd.Flags().StringVar(&options.Cluster, "name", practice.Cluster, "use the cluster with the name `CLUSTER`")
	cmd.Flags().StringVar(&options.Report, "report", "", "write the report to the file `PATH`")
	cmd.Flags().BoolVar(&options.Force, "force", false, "with --report, replace an existing file")
	return cmd
}

func newPracticeVerify(streams cli.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "verify REPORT...",
		Short: "Run the sessions of reports again, and say whether the reports are true",
		Long: `Run the sessions of reports again, and say whether the reports are true: the cluster and the checks are those of
the task, only writes of a client were added, and the results and the trace hash are the same. Use the version of
kubestep that wrote the reports. Exit code 1 means that a report is not true.`,
		Example: "  kubestep practice verify report.json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usage("practice verify takes reports", "kubestep practice verify report.json")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return practice.Verify(streams, args) },
	}
}
