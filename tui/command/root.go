package command

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/cli/version"
	"github.com/kubestep/kubestep/scenarios/explore/builds"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/tui/command/shell"
)

// bounded are the commands that take a scenario or a trace, and so have the limits of kubestep run (cli.Bounded). open is one of them,
// too.
var bounded = []func(cli.Streams) *cobra.Command{
	newBisect, newConvert, newDescribe, newDiff, newExport, newInit, newScreenshot, newShrink, newSnapshot, newTeach, newUpgrade,
	newValidate, newWhy,
}

// others take neither, or have limits of their own. TestCommandsAreBounded says which, and why.
var others = []func(cli.Streams) *cobra.Command{
	newCapture, newCompletion, newControllers, newExplain, newExplore, newGet, newList, newMan, newPractice, newRun, newServe, newStep,
	newVerify, newVersion, newWeb, newWorker,
}

// New returns the root command, with all commands below it.
func New(streams cli.Streams) *cobra.Command {
	open := cli.Bounded(streams, newOpen(streams))
	root := &cobra.Command{
		Use:   "kubestep",
		Short: "Step through what Kubernetes controllers do, in virtual time and without a cluster",
		Long: `kubestep runs the real, unmodified controllers of kube-controller-manager in a deterministic
simulation on one machine: virtual time, no cluster, every API request and reconcile a step
that can be seen, explained and replayed bit for bit.

Exit codes: 0 success, 1 a check failed or runs differ, 2 the command or the scenario is invalid, 3 kubestep
failed, 4 the output cannot be written, 5 a run exceeds a limit, 128 and more a signal.`,
		Example: `  kubestep list
  kubestep run rolling-update
  kubestep run my-scenario.yaml --seed 7 -o summary`,
		SilenceErrors: true, SilenceUsage: true,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cli.IsInteractive(streams) {
				return open.RunE(open, nil)
			}
			return cmd.Help()
		},
	}
	// Kubernetes' packages put flags of their own into the process's flag set, which cobra would offer.
	pflag.CommandLine = pflag.NewFlagSet(root.Name(), pflag.ContinueOnError)
	root.Version = version.Version
	root.SetIn(streams.In)
	root.SetOut(streams.Stdout())
	root.SetErr(streams.Stderr())
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return flagError(cmd, err)
	})
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(newHelp())
	root.AddCommand(open)
	for _, construct := range bounded {
		root.AddCommand(cli.Bounded(streams, construct(streams)))
	}
	for _, construct := range others {
		root.AddCommand(construct(streams))
	}
	root.InitDefaultHelpCmd()
	shell.Complete(root)
	return root
}

// report prints an error and picks the exit code.
func report(err error, out io.Writer) int {
	var usage *cli.UsageError
	var list source.ErrorList
	var positioned *source.Error
	var panicked *engine.PanicError
	var fault *controllers.Error
	var exit exitError
	var lost *output.Error
	var exists *output.ExistsError
	var ended *interrupt.Error
	var unbuilt *builds.Error
	var missing *incompleteError
	switch {
	case err == nil:
		return cli.ExitOK
	case errors.As(err, &exit):
		return int(exit)
	case errors.Is(err, cli.ErrChecksFailed):
		return cli.ExitFailed
	case cli.IsLimit(err):
		cli.PrintError(out, err.Error(), cli.AfterLimit(err))
		return cli.ExitLimit
	case errors.As(err, &ended):
		return ended.ExitCode()
	case errors.As(err, &exists):
		cli.PrintError(out, exists.Error(), exists.Try)
		return cli.ExitUsage
	case errors.As(err, &lost):
		cli.PrintError(out, "cannot write "+lost.Error(), lost.Try())
		return cli.ExitOutput
	case errors.As(err, &missing):
		cli.PrintError(out, missing.message, missing.try)
		return cli.ExitIncomplete
	case errors.As(err, &usage):
		cli.PrintError(out, usage.Message, usage.Try)
		return cli.ExitUsage
	case errors.As(err, &unbuilt):
		cli.PrintError(out, unbuilt.Message, unbuilt.Try)
		return cli.ExitUsage
	case errors.As(err, &list):
		printErrors(out, list.Distinct())
		return cli.ExitUsage
	case errors.As(err, &positioned):
		cli.PrintError(out, positioned.Error(), positioned.Try)
		return cli.ExitUsage
	case errors.As(err, &panicked):
		cli.PrintError(out, "internal fault: "+panicked.Error(), cli.ReportBug)
		fmt.Fprintf(out, "\n%s\n", panicked.Stack)
		return cli.ExitInternal
	case errors.As(err, &fault) && fault.Try != "":
		cli.PrintError(out, fault.Error(), fault.Try)
		if len(fault.Stack) > 0 {
			fmt.Fprintf(out, "\n%s\n", fault.Stack)
		}
		return cli.ExitInternal
	case errors.As(err, &fault):
		cli.PrintError(out, "internal fault: "+fault.Error(), cli.ReportBug)
		fmt.Fprintf(out, "\n%s\n", fault.Stack)
		return cli.ExitInternal
	case isUnknownCommand(err):
		cli.PrintError(out, err.Error(), "kubestep --help")
		return cli.ExitUsage
	}
	cli.PrintError(out, "internal fault: "+err.Error(), cli.ReportBug)
	return cli.ExitInternal
}

// printErrors prints the first errors of a file.
func printErrors(out io.Writer, list source.ErrorList) {
	for _, e := range list[:min(len(list), errorsShown)] {
		cli.PrintError(out, e.Error(), e.Try)
	}
	if more := len(list) - errorsShown; more > 0 {
		fmt.Fprintf(out, "and %d more, which are shown when these are corrected\n", more)
	}
}

// errorsShown is how many errors of a file are listed at once: a generated file may have thousands.
const errorsShown = 100

// isUnknownCommand recognises cobra's own usage errors, which have no type.
func isUnknownCommand(err error) bool {
	for _, prefix := range []string{"unknown command", "accepts ", "requires at least", "unknown flag", "invalid argument"} {
		if strings.HasPrefix(err.Error(), prefix) {
			return true
		}
	}
	return false
}
