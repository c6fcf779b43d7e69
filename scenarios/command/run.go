package command

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/kubestep/kubestep/scenarios/child"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// frozenLimit is the real time without any progress after which a simulation counts as frozen.
const frozenLimit = 30 * time.Second

// runFlags are the flags of run.
type runFlags struct {
	seed     int64
	seedSet  bool
	output   string
	traceOut string
	verbose  bool
	width    int
	// withoutFaults leaves out what the scenario makes go wrong.
	withoutFaults bool
	// maxMemory is memory, in bytes, as it was given.
	maxMemory string
	memory    int64
}

// widthOfTerminal asks for the width of the terminal that is written to, if it is one.
const widthOfTerminal = -1

// columns is the width to cut lines at; 0 means no limit.
func columns(out io.Writer, width int) int {
	if width != widthOfTerminal {
		return width
	}
	if file, ok := out.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		if columns, _, err := term.GetSize(int(file.Fd())); err == nil {
			return columns
		}
	}
	return 0
}

// checkWidth checks --width.
func checkWidth(width int) error {
	if width < widthOfTerminal {
		return &UsageError{fmt.Sprintf("--width %d is negative", width), "--width 120"}
	}
	return nil
}

// checkOutput checks -o of the commands that print text or json.
func checkOutput(output string) error {
	if output != "text" && output != "json" {
		return &UsageError{fmt.Sprintf("unknown output format %q", output), "-o text or -o json"}
	}
	return nil
}

func newRun(streams Streams) *cobra.Command {
	flags := &runFlags{}
	cmd := &cobra.Command{
		Use:   "run FILE...",
		Short: "Run scenarios and print what happens",
		Long: `Run scenarios and print what happens.

FILE is a scenario file, or the name of a scenario that comes with kubestep (see kubestep list).
The format text shows the steps, the syncs that acted, and the requests that changed something; with
--verbose, it shows every record. jsonl is the trace, one record per line; the trace hash is the SHA-256 of
exactly these lines. All formats except json end with one summary line (for jsonl on standard error).
stream is for programs that follow a run: it prints the lines of jsonl during the run, and the verdict as
the last line.

The exit code is 0 when all checks passed, 1 when one failed, 2 when a scenario is invalid, and 3 when
kubestep failed.`,
		Example: `  kubestep run rolling-update
  kubestep run my.yaml --seed 7 -o summary
  kubestep run my.yaml --trace-out trace.jsonl -o json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &UsageError{"run needs a scenario", "kubestep list, then kubestep run NAME"}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			flags.seedSet = cmd.Flags().Changed("seed")
			if err := flags.validate(args); err != nil {
				return err
			}
			if len(args) > 1 {
				return runEach(streams, args, flags)
			}
			return runOne(streams, args[0], flags)
		},
	}
	cmd.Flags().Int64Var(&flags.seed, "seed", 0, "run with this `SEED` instead of the scenario's")
	cmd.Flags().StringVarP(&flags.output, "output", "o", "text", "output `FORMAT`: text, jsonl, json, summary or stream")
	cmd.Flags().StringVar(&flags.traceOut, "trace-out", "", "also write the trace as JSON lines to the file `PATH`")
	cmd.Flags().BoolVarP(&flags.verbose, "verbose", "v", false, "show every record in the text form")
	cmd.Flags().StringVar(&flags.maxMemory, "max-memory", defaultMemory,
		"abort when the process exceeds this `SIZE`, such as 512Mi or 2Gi; 0 means no limit")
	cmd.Flags().BoolVar(&flags.withoutFaults, "without-faults", false,
		"run without the scenario's faults and checks; see kubestep diff --without-faults")
	cmd.Flags().IntVar(&flags.width, "width", widthOfTerminal,
		"cut the lines of the text form at `COLUMNS`; 0 means no limit, -1 the width of the terminal")
	return cmd
}

func (f *runFlags) validate(args []string) error {
	switch f.output {
	case "text", "jsonl", "json", "summary", "stream":
	default:
		return &UsageError{fmt.Sprintf("unknown output format %q", f.output), "-o text, -o jsonl, -o json, -o summary or -o stream"}
	}
	if f.output == "stream" && len(args) > 1 {
		return &UsageError{"-o stream takes one scenario", "a run for each scenario"}
	}
	memory, err := parseMemory(f.maxMemory)
	if err != nil {
		return err
	}
	f.memory = memory
	if f.traceOut != "" && len(args) > 1 {
		return &UsageError{"--trace-out takes one scenario", "a run for each scenario"}
	}
	return checkWidth(f.width)
}

// runEach runs each scenario in a process of its own: much of what upstream keeps, such as feature gates,
// belongs to the process. The exit code is the worst of all.
func runEach(streams Streams, files []string, flags *runFlags) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	worst := ExitOK
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
	if worst != ExitOK {
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
	if f.verbose {
		args = append(args, "--verbose")
	}
	if f.withoutFaults {
		args = append(args, "--without-faults")
	}
	return append(args, "--max-memory", f.maxMemory, "--width", strconv.Itoa(f.width), "--", file)
}

// exitError carries an exit code whose message is already printed.
type exitError int

// Error implements error.
func (e exitError) Error() string { return "exit " + strconv.Itoa(int(e)) }

// runOne runs one scenario in this process.
func runOne(streams Streams, file string, flags *runFlags) error {
	scenario, err := runner.Open(file)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(streams.out(), 1<<16)
	if flags.streams() {
		out = bufio.NewWriterSize(streams.Out, 1<<16)
	}
	defer out.Flush()
	options := runner.RunOptions{Progress: &engine.Progress{}, Controllers: Controllers, WithoutFaults: flags.withoutFaults}
	if flags.seedSet {
		options.Seed = &flags.seed
	}
	to := newOutputs(streams, out, flags)
	options.Sinks = append(options.Sinks, to.sinks...)
	traceOut, err := createTrace(flags.traceOut)
	if err != nil {
		return err
	}
	defer traceOut.discard()
	defer runner.HoldZone(scenario)()
	if flags.traceOut != "" {
		options.Sinks = append(options.Sinks, traceOut.write)
	}
	defer guard(options.Progress, flags.memory, func(halt trace.Halt, try string) {
		traceOut.discard()
		if flags.streams() {
			to.stream.halt(halt)
		}
		printError(streams.err(), "internal fault: "+halt.Message, try)
		if halt.Stack != "" {
			fmt.Fprintf(streams.err(), "\n%s\n", halt.Stack)
		}
		os.Exit(ExitInternal)
	})()
	if flags.output == "stream" {
		defer to.stream.follow(streamEvery)()
	}
	tuneGarbageCollector()
	erase := func() {}
	if to.text == nil || columns(streams.Out, widthOfTerminal) == 0 {
		erase = showProgress(streams.Err, options.Progress, scenario.Spec.Horizon.Duration)
	}
	outcome, err := runner.Run(scenario, options)
	erase()
	if to.text != nil {
		_ = to.text.Close()
	}
	if halt := child.HaltOf(err); halt != nil && flags.streams() {
		to.stream.halt(*halt)
	}
	if outcome == nil {
		return err
	}
	if err == nil {
		if commitErr := traceOut.commit(); commitErr != nil {
			return fileError(commitErr)
		}
	}
	if endErr := conclude(out, streams, outcome, flags, to, file); endErr != nil {
		return endErr
	}
	switch {
	case err != nil:
		return err
	case outcome.Result != runner.Pass:
		return errChecksFailed
	}
	return nil
}

// conclude tells how a run ended.
func conclude(out *bufio.Writer, streams Streams, outcome *runner.Outcome, flags *runFlags, to *outputs, file string) error {
	for _, warning := range outcome.Warnings {
		fmt.Fprintln(streams.err(), "Warning: "+file+": "+warning)
	}
	if flags.output != "stream" {
		return printOutcome(out, streams, outcome, flags, to.failed, file)
	}
	if err := to.stream.end(outcome); err != nil {
		return fileError(err)
	}
	return nil
}

// outputs are what a run writes to while it runs.
type outputs struct {
	text   *trace.TextWriter
	failed *failures
	stream *streamWriter
	sinks  []trace.Sink
}

func newOutputs(streams Streams, out *bufio.Writer, flags *runFlags) *outputs {
	to := &outputs{failed: &failures{}, stream: &streamWriter{out: out}}
	switch flags.output {
	case "text":
		to.text = trace.NewText(out, trace.TextOptions{Verbose: flags.verbose, Width: columns(streams.Out, flags.width)})
		to.sinks = append(to.sinks, func(record *trace.Record, _ []byte) { _ = to.text.Write(record) })
	case "summary":
		to.sinks = append(to.sinks, to.failed.note)
	case "jsonl", "stream":
		to.sinks = append(to.sinks, to.stream.write)
	}
	return to
}

// tuneGarbageCollector spends memory to save time: a run is short, and most of its garbage comes from objects
// that live for one request. The limit keeps large runs within half a gibibyte as long as they can be.
func tuneGarbageCollector() {
	const percent, softLimit = 400, 320 << 20
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softLimit)
	}
}

// printOutcome ends the report of a run.
func printOutcome(out *bufio.Writer, streams Streams, outcome *runner.Outcome, flags *runFlags,
	failed *failures, file string,
) error {
	switch flags.output {
	case "json":
		data, err := json.Marshal(outcome)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s\n", data)
		return nil
	case "jsonl":
		if err := out.Flush(); err != nil {
			return fileError(err)
		}
		fmt.Fprintln(streams.err(), Summary(outcome))
		return nil
	}
	failed.print(out, outcome, file, columns(streams.Out, flags.width))
	if flags.output == "text" {
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out, Summary(outcome))
	return nil
}

// Summary is the one line that ends a run.
func Summary(o *runner.Outcome) string {
	return strings.Join([]string{
		o.Result, o.Scenario, counted(o),
		"virtual " + compact(o.VirtualSeconds), "settled " + trace.Seconds(duration(o.SettledSeconds)),
		fmt.Sprintf("wall %.3fs", o.WallSeconds),
		fmt.Sprintf("events %d", o.Events), fmt.Sprintf("records %d", o.Records),
		fmt.Sprintf("seed %d", o.Seed), promise(o), o.TraceHash, "kubernetes " + o.KubernetesVersion,
	}, "  ")
}

// counted tells how many of the scenario's checks passed, and how many invariants held.
func counted(o *runner.Outcome) string {
	var passed, all [2]int
	for _, check := range o.Checks {
		kind := 0
		if check.Invariant {
			kind = 1
		}
		all[kind]++
		if check.Result == runner.Pass {
			passed[kind]++
		}
	}
	text := fmt.Sprintf("checks %d/%d  invariants %d/%d", passed[0], all[0], passed[1], all[1])
	if skipped := len(o.SkippedInvariants); skipped > 0 {
		text += fmt.Sprintf(" (%d skipped)", skipped)
	}
	return text
}

// promise is what the hash stands for: the build, and whose order is open.
func promise(o *runner.Outcome) string {
	if len(o.OpenOrder) == 0 {
		return o.Promise
	}
	return o.Promise + " (order open: " + strings.Join(o.OpenOrder, ", ") + ")"
}

func duration(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }

func compact(seconds float64) string { return duration(seconds).Round(time.Millisecond).String() }
