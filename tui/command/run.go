package command

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/explore/future"
	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
	"github.com/kubestep/kubestep/tui/command/shell"
)

// runFlags are the flags of run.
type runFlags struct {
	seed          int64
	seedSet       bool
	futures       []string
	output        string
	traceOut      string
	verbose       bool
	width         int
	withoutFaults withoutFaults
	addedFaults
	// choices are about the order of what is due at one time.
	choices choiceFlags
	// compare compares the end with that of the run without the faults, or without those at some places.
	compare withoutFaults
	// showSecrets leaves the values of Secrets as they are.
	showSecrets bool
	cli.LimitFlags
	// sealed is the name of the scenario in the sandbox of --untrusted, where its text is standard input.
	sealed string
	// force replaces a file that is no trace.
	force bool
}

// traceRights are those of the file of --trace-out. An archive has the text of the scenario, and so the Secrets in it.
func (f *runFlags) traceRights(scenario []byte) output.Rights {
	rights := output.Traces(f.force)
	rights.Private = f.showSecrets || strings.HasSuffix(f.traceOut, archive.Suffix) && bytes.Contains(scenario, []byte("Secret"))
	return rights
}

// widthOfTerminal asks for the width of the terminal that is written to, if it is one.
const widthOfTerminal = -1

// columns is the width to cut lines at; 0 means no limit.
func columns(out io.Writer, width int) int {
	if width != widthOfTerminal {
		return width
	}
	if file, ok := out.(*os.File); ok && cli.IsTerminal(out) {
		if columns, _, err := term.GetSize(int(file.Fd())); err == nil {
			return columns
		}
	}
	return 0
}

// checkWidth checks --width.
func checkWidth(width int) error {
	if width < widthOfTerminal {
		return cli.Usage(fmt.Sprintf("--width %d is negative", width), "--width 120")
	}
	return nil
}

const runLong = `Run scenarios and print what happens.

FILE is a scenario file, the name of a scenario that comes with kubestep (see kubestep list), or a dump of a
cluster (kubectl get -o yaml), which runs as the scenario that kubestep init --from makes from it.
At the end, the output lists controllers that are HOT, and objects that are STUCK or waiting, with the command that
shows why. With --compare, it says whether the run DIVERGED from the run without its faults: whether other objects are
left when the faults are over and the run has come to rest. spec.mayDiffer lists exceptions. --compare=PLACES leaves
out only some of the faults, as --without-faults=PLACES does. --compare=history compares with runs that create the
wanted objects in an empty cluster instead: whether something remains of the past, at the end of the run or when it is
at rest and a step begins. --place adds the fault at a place that kubestep explore --every lists.
The format text shows the steps, the syncs that acted, and the requests that changed something; with
--verbose, it shows every record. jsonl is the trace, one record per line; the trace hash is the SHA-256 of
exactly these lines. The values of Secrets are redacted; a digest shows changes. All formats except json
end with one summary line (for jsonl on standard error).
stream is for programs that follow a run: it prints the lines of jsonl during the run, and the verdict on
the last line.

The exit code is 0 when all checks passed, 1 when one failed, 2 when a scenario is invalid, 3 when
kubestep failed, 4 when the output cannot be written, and 5 when the run exceeds a limit (--timeout,
--max-memory, --max-records). --trace-out then has the trace up to that point.

Use --untrusted for scenarios from people you do not know. On Linux, the scenario then runs in a process that
cannot open connections or files other than temporary files of its own, start programs, or make system calls
other than those it needs. The process has no environment variables, and is stopped when it exceeds a limit.
Standard error reports what this system enforces; with --require-sandbox, the command fails with exit code 2
if the system does not support the whole sandbox. The limits are 1 minute, 1Gi, 1,000,000 records and 500
million items of work for conditions; --timeout, --max-memory and --max-records change them. Only run and
explore have this flag. All other commands that take a scenario or a trace have --timeout and --max-memory.`

func newRun(streams cli.Streams) *cobra.Command {
	flags := &runFlags{}
	cmd := &cobra.Command{
		Use:   "run FILE...",
		Short: "Run scenarios and print what happens",
		Long:  runLong,
		Example: `  kubestep run rolling-update
  kubestep run my.yaml --seed 7 -o summary
  kubestep run my.yaml --seed 7 --future 5.15s:42
  kubestep run my.yaml --trace-out trace.jsonl -o json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usage("run needs a scenario", "kubestep list, then kubestep run NAME")
			}
			return cmp.Or(flags.withoutFaults.misplaced("without-faults", cmd, args), flags.compare.misplaced("compare", cmd, args))
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			flags.seedSet = cmd.Flags().Changed("seed")
			if err := cmp.Or(
				flags.addedFaults.check(cmd.Flags(), flags.futures), flags.choices.check(cmd.Flags(), flags.futures),
				flags.Complete(cmd), flags.validate(args),
			); err != nil {
				return err
			}
			switch {
			case len(args) > 1:
				return runEach(streams, args, flags)
			case flags.Untrusted && flags.sealed == "":
				return runUntrusted(streams, args[0], flags)
			}
			return runOne(streams, args[0], flags)
		},
	}
	cmd.Flags().Int64Var(&flags.seed, "seed", 0, "run with this `SEED` instead of the scenario's")
	cmd.Flags().StringArrayVar(&flags.futures, future.Flag, nil, future.Usage)
	shell.OutputFormat(cmd.Flags(), &flags.output, "text", "jsonl", "json", "summary", "stream")
	cmd.Flags().StringVar(&flags.traceOut, "trace-out", "", "also write the trace to the file `PATH`: as a compressed archive if it ends in .kst, or else as JSON lines")
	cmd.Flags().BoolVarP(&flags.verbose, "verbose", "v", false, "show every record in the text form")
	flags.AddTo(cmd)
	cmd.Flags().StringVar(&flags.sealed, "sealed", "", "run the scenario on standard input under this `NAME`, in the sandbox of --untrusted")
	_ = cmd.Flags().MarkHidden("sealed")
	cmd.Flags().BoolVar(&flags.force, "force", false, "with --trace-out, replace a file that is not a trace")
	flags.withoutFaults.add(cmd, "run without the scenario's faults and checks, or without those at `PLACES`; see kubestep diff --help")
	flags.addedFaults.add(cmd.Flags(), ": "+space.Names())
	flags.choices.add(cmd.Flags())
	flags.compare.addAs("compare", cmd,
		"also run without the faults, without those at `PLACES`, or with =history without the past, and fail if the objects at the end differ")
	cmd.Flags().BoolVar(&flags.showSecrets, "show-secrets", false, "show the values of Secrets instead of redacting them")
	cmd.Flags().IntVar(&flags.width, "width", widthOfTerminal,
		"cut the lines of the text form at `COLUMNS`; 0 means no limit, -1 the width of the terminal")
	return cmd
}

func (f *runFlags) validate(args []string) error {
	switch f.output {
	case "text", "jsonl", "json", "summary", "stream":
	default:
		return cli.Usage(fmt.Sprintf("unknown output format %q", f.output), "-o text, -o jsonl, -o json, -o summary or -o stream")
	}
	if f.output == "stream" && len(args) > 1 {
		return cli.Usage("-o stream takes one scenario", "a run for each scenario")
	}
	if f.Untrusted && f.draw.with != "" {
		return cli.Usage("--untrusted cannot be combined with --drawn-with: only the sandbox reads the scenario",
			"--faults without --drawn-with")
	}
	if f.traceOut != "" && len(args) > 1 {
		return cli.Usage("--trace-out takes one scenario", "a run for each scenario")
	}
	return cmp.Or(checkWidth(f.width), f.checkCompare())
}

// runEach runs each scenario in a process of its own: much of what upstream keeps, such as feature gates,
// belongs to the process. The exit code is the worst of all.
func runEach(streams cli.Streams, files []string, flags *runFlags) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	worst := cli.ExitOK
	for _, file := range files {
		child := exec.Command(self, flags.args(file)...)
		child.Stdout, child.Stderr = streams.Out, streams.Err
		err := child.Run()
		var exit *exec.ExitError
		switch {
		case err == nil:
		case errors.As(err, &exit) && exit.ExitCode() >= 0:
			worst = max(worst, exit.ExitCode())
		default:
			return err
		}
	}
	if worst != cli.ExitOK {
		return exitError(worst)
	}
	return nil
}

// args are the arguments that run one of several files with the same flags.
func (f *runFlags) args(file string) []string {
	args := []string{"run", "-o", f.output}
	if f.seedSet {
		args = append(args, "--seed", strconv.FormatInt(f.seed, 10))
	}
	args = append(args, future.Args(f.futures)...)
	if f.verbose {
		args = append(args, "--verbose")
	}
	args = append(args, f.withoutFaults.args()...)
	args = append(args, f.addedFaults.args()...)
	if f.showSecrets {
		args = append(args, "--show-secrets")
	}
	if f.compare.isGiven() {
		args = append(args, "--compare="+f.compare.value)
	}
	args = append(args, f.choices.args()...)
	return append(append(args, f.LimitFlags.Arguments()...), "--width", strconv.Itoa(f.width), "--", file)
}

// exitError carries an exit code whose message is already printed.
type exitError int

// Error implements error.
func (e exitError) Error() string { return "exit " + strconv.Itoa(int(e)) }

// streams reports whether the output is made of records.
func (f *runFlags) streams() bool { return f.output == "jsonl" || f.output == "stream" }
