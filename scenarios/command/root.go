package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/cli/version"
	"github.com/kubestep/kubestep/scenarios/explore/builds"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/plugin"
	"github.com/kubestep/kubestep/scenarios/shell"
	"github.com/kubestep/kubestep/sim/engine"
)

// The exit codes; docs/reference/exit-codes.md describes them.
const (
	ExitOK       = 0
	ExitFailed   = 1
	ExitUsage    = 2
	ExitInternal = 3
	// ExitOutput means that a result exists and could not be written.
	ExitOutput = 4
	// ExitLimit means that a command exceeded a limit of its user (--timeout, --max-memory, those of --untrusted), or that a scenario
	// is more work than its check may be.
	ExitLimit = 5
	// ExitIncomplete means that seeds of a sweep did not run.
	ExitIncomplete = 6
)

// UsageError is a wrong use of the command line, with a hint.
type UsageError struct{ Message, Try string }

// Error implements error.
func (e *UsageError) Error() string { return e.Message }

// Controllers are additional controllers for every run. A program with its own controllers sets them before it calls
// Main, and so becomes kubestep with these controllers.
var Controllers map[string]controllers.Custom

// ErrChecksFailed ends a command whose report is already printed.
var ErrChecksFailed = errors.New("a check failed")

// AtTerminal is the annotation of the command that runs when kubestep is called without arguments at a terminal.
const AtTerminal = "kubestep.dev/at-terminal"

// Interactive reports whether standard input and output are a terminal.
func Interactive(streams Streams) bool {
	return isTerminal(streams.In) && isTerminal(streams.Out)
}

// isTerminal reports whether an end of a stream is a terminal.
func isTerminal(end any) bool {
	file, ok := end.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// New returns the root command. more are commands of other packages, such as the interface.
func New(streams Streams, more ...*cobra.Command) *cobra.Command {
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
		Args: NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, c := range more {
				if c.Annotations[AtTerminal] != "" && Interactive(streams) {
					return c.RunE(c, nil)
				}
			}
			return cmd.Help()
		},
	}
	// Kubernetes' packages put flags of their own into the process's flag set, which cobra would offer.
	pflag.CommandLine = pflag.NewFlagSet(root.Name(), pflag.ContinueOnError)
	root.Version = version.Version
	root.SetIn(streams.In)
	root.SetOut(streams.out())
	root.SetErr(streams.err())
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return &UsageError{flagProblem(err), cmd.CommandPath() + " --help"}
	})
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(newHelp())
	for _, bounded := range []func(Streams) *cobra.Command{newValidate, newDescribe, newWhy, newDiff, newConvert, newShrink} {
		root.AddCommand(Bounded(streams, bounded(streams)))
	}
	root.AddCommand(newRun(streams), newList(streams), newExplain(streams), newExplore(streams),
		newVerify(streams), newWorker(streams), newControllers(streams), newCompletion(streams), newMan(streams), newVersion(streams))
	root.AddCommand(more...)
	root.InitDefaultHelpCmd()
	shell.Complete(root)
	streams.plugin.Rename(root)
	return root
}

// flagProblem is a mistake in a flag without the words of Go's strconv: "invalid argument "x" for "--seed" flag:
// not a whole number".
func flagProblem(err error) string {
	text := err.Error()
	var number *strconv.NumError
	if errors.As(err, &number) {
		reason := "not a whole number"
		if errors.Is(number, strconv.ErrRange) {
			reason = "out of range"
		}
		text = strings.Replace(text, number.Error(), reason, 1)
	}
	return text
}

// Main runs the command line and returns the exit code.
func Main(args []string, streams Streams, more ...*cobra.Command) int {
	streams.lost = &output.Lost{}
	streams.plugin = plugin.Started(os.Args[0])
	args = streams.plugin.Arguments(args)
	if err := addPrograms(); err != nil {
		return report(err, streams.err())
	}
	root := New(streams, more...)
	builds.AddFlag(root, args)
	root.SetArgs(args)
	return report(streams.verdict(root.Execute()), streams.err())
}

// report prints an error and picks the exit code.
func report(err error, out io.Writer) int {
	var usage *UsageError
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
		return ExitOK
	case errors.As(err, &exit):
		return int(exit)
	case errors.Is(err, ErrChecksFailed):
		return ExitFailed
	case isLimit(err):
		printError(out, err.Error(), afterLimit(err))
		return ExitLimit
	case errors.As(err, &ended):
		return ended.ExitCode()
	case errors.As(err, &exists):
		printError(out, exists.Error(), exists.Try)
		return ExitUsage
	case errors.As(err, &lost):
		printError(out, "cannot write "+lost.Error(), lost.Try())
		return ExitOutput
	case errors.As(err, &missing):
		printError(out, missing.message, missing.try)
		return ExitIncomplete
	case errors.As(err, &usage):
		printError(out, usage.Message, usage.Try)
		return ExitUsage
	case errors.As(err, &unbuilt):
		printError(out, unbuilt.Message, unbuilt.Try)
		return ExitUsage
	case errors.As(err, &list):
		printErrors(out, list.Distinct())
		return ExitUsage
	case errors.As(err, &positioned):
		printError(out, positioned.Error(), positioned.Try)
		return ExitUsage
	case errors.As(err, &panicked):
		printError(out, "internal fault: "+panicked.Error(), reportBug)
		fmt.Fprintf(out, "\n%s\n", panicked.Stack)
		return ExitInternal
	case errors.As(err, &fault) && fault.Try != "":
		printError(out, fault.Error(), fault.Try)
		if len(fault.Stack) > 0 {
			fmt.Fprintf(out, "\n%s\n", fault.Stack)
		}
		return ExitInternal
	case errors.As(err, &fault):
		printError(out, "internal fault: "+fault.Error(), reportBug)
		fmt.Fprintf(out, "\n%s\n", fault.Stack)
		return ExitInternal
	case isUnknownCommand(err):
		printError(out, err.Error(), "kubestep --help")
		return ExitUsage
	}
	printError(out, "internal fault: "+err.Error(), reportBug)
	return ExitInternal
}

// printErrors prints the first errors of a file.
func printErrors(out io.Writer, list source.ErrorList) {
	for _, e := range list[:min(len(list), errorsShown)] {
		printError(out, e.Error(), e.Try)
	}
	if more := len(list) - errorsShown; more > 0 {
		fmt.Fprintf(out, "and %d more, which are shown when these are corrected\n", more)
	}
}

// errorsShown is how many errors of a file are listed at once: a generated file may have thousands.
const errorsShown = 100

// reportBug is the hint behind an internal fault.
const reportBug = "report this with the scenario, its seed and the trace (kubestep run FILE --trace-out trace.jsonl)"

// isUnknownCommand recognises cobra's own usage errors, which have no type.
func isUnknownCommand(err error) bool {
	for _, prefix := range []string{"unknown command", "accepts ", "requires at least", "unknown flag", "invalid argument"} {
		if strings.HasPrefix(err.Error(), prefix) {
			return true
		}
	}
	return false
}

func printError(out io.Writer, message, try string) {
	fmt.Fprintf(out, "Error: %s\n", message)
	if try != "" {
		fmt.Fprintf(out, "Try: %s\n", try)
	}
}
