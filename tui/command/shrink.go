package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/future"
	"github.com/kubestep/kubestep/scenarios/explore/shrink"
	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/visible"
)

// shrinkFlags are the flags of shrink.
type shrinkFlags struct {
	seed    int64
	hasSeed bool
	futures []string
	out     string
	goTest  string
	workers int
	force   bool
	// history compares with a run that creates what users want in an empty cluster.
	history bool
	addedFaults
	choices choiceFlags
}

func newShrink(streams cli.Streams) *cobra.Command {
	flags := &shrinkFlags{}
	cmd := &cobra.Command{
		Use:   "shrink FILE --seed N",
		Short: "Find the smallest scenario that still fails the same check",
		Long: `Find the smallest scenario that still fails the same check.

FILE is a scenario that fails with the seed, such as one that kubestep explore found. kubestep removes steps,
faults, pod rules, objects and all other fields, and reduces numbers and times, as long as the check that failed
first still fails. If the run is stuck, hot, diverged or late, so must the result be, in the same way: it comes to
rest, too, and the same object lacks the same state. To exclude failures
with a new cause, the result must be able to pass in the same way as the original: with one of the next 8 seeds,
or else without its faults, or without watch latency.

With --history, the run must differ from one that creates the wanted objects in an empty cluster, at its end or at rest
before a step, as with kubestep run --compare=history, and so must the result.

With --place, the fault at a place that kubestep explore --every found is written into the scenario first.
With --choices, each run has the order that kubestep explore --exhaustive found, and the result is run with the same
choices. It must pass in the default order if the original does.

The result is a complete scenario with the seed: kubestep run PATH fails. If it settles late, the run passes,
and kubestep diff PATH --without-faults compares it with the run without its faults. After Ctrl-C, or when a limit
is exceeded, the result is the smallest scenario so far. If PATH cannot be written, the result is printed. The
exit code is 0 when there is a result, 2 when nothing fails, 4 when the result cannot be written, 5 after a
limit, and 130 after Ctrl-C.`,
		Example: `  kubestep explore my.yaml --seeds 1000 --first
  kubestep shrink my.yaml --seed 17 --out small.yaml
  kubestep shrink my.yaml --seed 17 --out small.yaml --go-test small_test.go`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Usage(fmt.Sprintf("shrink takes one scenario, not %d", len(args)), "kubestep shrink FILE --seed 7")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			flags.hasSeed = cmd.Flags().Changed("seed")
			if err := cmp.Or(
				flags.check(cmd.Flags(), flags.futures), flags.choices.check(cmd.Flags(), flags.futures), flags.checkChoices(),
			); err != nil {
				return err
			}
			return shrinkScenario(cmd.Context(), streams, args[0], flags)
		},
	}
	cmd.Flags().Int64Var(&flags.seed, "seed", 0, "run with this `SEED`, which fails (default: the scenario's)")
	cmd.Flags().StringArrayVar(&flags.futures, future.Flag, nil, future.Usage)
	flags.add(cmd.Flags(), ", and write them into the scenario")
	flags.choices.add(cmd.Flags())
	cmd.Flags().BoolVar(&flags.history, "history", false,
		"keep what differs from a run that creates the wanted objects in an empty cluster")
	cmd.Flags().StringVar(&flags.out, "out", "", "write the scenario to the file `PATH` instead of standard output")
	cmd.Flags().StringVar(&flags.goTest, "go-test", "", "also write the result as a Go test to the file `PATH`")
	cmd.Flags().BoolVar(&flags.force, "force", false, "replace files that exist")
	cmd.Flags().IntVar(&flags.workers, "workers", runtime.GOMAXPROCS(0), "`NUMBER` of processes that run at the same time")
	return cmd
}

func shrinkScenario(ctx context.Context, streams cli.Streams, file string, flags *shrinkFlags) error {
	scenario, plan, err := read(child.Job{File: file})
	if err != nil {
		return err
	}
	if err := flags.validate(file); err != nil {
		return err
	}
	if scenario, err = future.Add(scenario, flags.futures); err != nil {
		return err
	}
	if !flags.hasSeed {
		flags.seed = scenario.Spec.Seed
	}
	text := scenario.Source()
	drawn, err := flags.drawn(file, scenario, plan, flags.seed)
	if err == nil && len(drawn.Rules) > 0 {
		text, err = drawn.Text(scenario)
	}
	if err != nil {
		return err
	}
	ctx, cancel := cli.BoundContext(ctx)
	defer cancel()
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	result, err := flags.shrink(ctx, streams, file, text, drawn)
	if err = flags.problem(err, file); err != nil && (result == nil || ctx.Err() == nil) {
		if ctx.Err() != nil {
			return endedBy(ctx)
		}
		return err
	}
	if err := flags.write(streams, file, scenario, result); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return unfinished(ctx, streams)
	}
	return nil
}

// endedBy is why the context of a search ended: a limit or a signal.
func endedBy(ctx context.Context) error {
	var exceeded *limits.Error
	if errors.As(context.Cause(ctx), &exceeded) {
		return exceeded
	}
	return interrupt.Cause(ctx)
}

// unfinished says why the result is only the smallest so far, and returns the exit code.
func unfinished(ctx context.Context, streams cli.Streams) error {
	const again = "kubestep shrink with the result"
	err := endedBy(ctx)
	var exceeded *limits.Error
	if errors.As(err, &exceeded) {
		cli.PrintError(streams.Stderr(), exceeded.Error()+": a smaller scenario may exist",
			again+", or a larger "+limits.Flag(exceeded.Halt))
		return exitError(cli.ExitLimit)
	}
	cli.PrintError(streams.Stderr(), "interrupted: a smaller scenario may exist", again)
	return err
}

// checkChoices refuses what a run with choices cannot have: a comparison with a run that has others, and a test, which chooses no order.
func (f *shrinkFlags) checkChoices() error {
	switch {
	case f.choices.order == nil:
		return nil
	case f.history:
		return cli.Usage("--choices cannot be combined with --history", "one of them")
	case f.goTest != "":
		return cli.Usage("--choices cannot be combined with --go-test: a test does not choose an order", "--out small.yaml")
	}
	return nil
}

func (f *shrinkFlags) validate(file string) error {
	switch {
	case f.workers < 1:
		return cli.Usage(fmt.Sprintf("--workers %d: must be at least 1", f.workers),
			"--workers "+strconv.Itoa(runtime.GOMAXPROCS(0)))
	case output.SameFile(f.out, file):
		return cli.Usage("--out "+f.out+" is the scenario itself", "--out smaller.yaml")
	case f.goTest != "" && !strings.HasSuffix(f.goTest, "_test.go"):
		return cli.Usage("--go-test "+f.goTest+" is not a Go test file",
			"--go-test "+strings.TrimSuffix(f.goTest, filepath.Ext(f.goTest))+"_test.go")
	}
	return cmp.Or(output.Check(f.out, f.rights()), output.Check(f.goTest, f.rights()))
}

// rights are those of the results, which have the Secrets of the scenario.
func (f *shrinkFlags) rights() output.Rights { return output.Rights{Force: f.force, Private: true} }

// shrink makes the runs in workers, which wait for each other's.
func (f *shrinkFlags) shrink(ctx context.Context, streams cli.Streams, file string, text []byte, drawn space.Drawn,
) (*shrink.Result, error) {
	idle := make(chan *child.Worker, f.workers)
	bounds, _ := limits.Of(ctx)
	for range f.workers {
		idle <- &child.Worker{Flags: bounds.Args()}
	}
	defer func() {
		for range f.workers {
			(<-idle).Close()
		}
	}()
	var progress atomic.Pointer[shrink.Progress]
	erase := output.ShowLine(streams.Err, func(elapsed time.Duration) string {
		if p := progress.Load(); p != nil {
			return fmt.Sprintf("%s, %s and %s left",
				trace.Count(p.Runs, "run"), trace.Count(p.Size.Steps, "step"), trace.Count(p.Size.Lines, "line"))
		}
		return "looking for seeds that pass"
	})
	defer erase()
	s := shrink.Shrinker{
		File: file, Text: text, Seed: f.seed, Parallel: f.workers, History: f.history,
		Progress: func(p shrink.Progress) { progress.Store(&p) },
		Run: func(ctx context.Context, job child.Job) (*child.Report, error) {
			worker := <-idle
			defer func() { idle <- worker }()
			return worker.Do(ctx, job)
		},
	}
	if s.Against = f.place.names; f.choices.order != nil {
		s.Orders = &child.Orders{Choices: f.choices.order.Choices}
	}
	return s.Shrink(ctx)
}

// problem describes why there is nothing to shrink.
func (f *shrinkFlags) problem(err error, file string) error {
	var passes *shrink.PassesError
	var unsteady *shrink.UnsteadyError
	var wrong *shrink.WrongError
	switch {
	case errors.As(err, &passes):
		if f.place.isGiven() {
			number := f.place.number.Number
			return cli.Usage(fmt.Sprintf("%s passes with seed %d and place %s: there is nothing to shrink", file, f.seed, number),
				fmt.Sprintf("kubestep explore %s --every --seed %d to find places that fail", file, f.seed))
		}
		if f.choices.order != nil {
			return cli.Usage(fmt.Sprintf("%s passes with seed %d and --choices %s: there is nothing to shrink",
				file, f.seed, f.choices.text),
				fmt.Sprintf("kubestep explore %s --exhaustive --seed %d to find choices that fail", file, f.seed))
		}
		return cli.Usage(fmt.Sprintf("%s passes with seed %d: there is nothing to shrink", file, f.seed),
			"kubestep explore "+file+" to find seeds that fail")
	case errors.As(err, &unsteady):
		return cli.Usage(file+": "+err.Error(), "kubestep explore "+file+" --confirm to find out how often")
	case errors.As(err, &wrong):
		return cli.Usage(wrong.Message, wrong.Try)
	}
	return err
}

// write hands out the result.
func (f *shrinkFlags) write(streams cli.Streams, file string, scenario *format.Scenario, result *shrink.Result) error {
	text, err := output.VisibleYAML(append([]byte(result.Header(visible.Line(file), f.seed)), result.Text...))
	if err != nil {
		return err
	}
	if f.out != "" {
		err = output.WriteFile(f.out, text, f.rights())
	}
	if f.out == "" || err != nil {
		// The search may have taken long: what cannot be written to its file is at least printed.
		_, writeErr := streams.Raw().Write(text)
		if err = cmp.Or(err, writeErr); err != nil {
			return cli.OutputError("", err)
		}
	}
	if f.goTest != "" {
		source, err := result.GoTest(f.goTest, scenario.Metadata.Name, text, slices.Sorted(maps.Keys(cli.Controllers)))
		if err != nil {
			return err
		}
		if err := output.WriteFile(f.goTest, source, f.rights()); err != nil {
			return err
		}
	}
	fmt.Fprintf(streams.Stderr(), "%s, in %s\n", shrink.Change(result.Before, result.After), trace.Count(result.Runs, "run"))
	fmt.Fprintf(streams.Stderr(), "fails %s: %s\n", result.Failure.Name, result.Failure.Message)
	switch {
	case f.out == "":
	case result.Failure.Name == child.SameEnd:
		fmt.Fprintf(streams.Stderr(), "run it: kubestep run %s --compare%s\n", f.out, f.place.value())
	case result.Failure.Name == child.NoHistory:
		fmt.Fprintf(streams.Stderr(), "run it: kubestep run %s --compare=%s\n", f.out, historyValue)
	case result.Failure.Name == child.LateFailure:
		// A run alone does not tell that it is late.
		fmt.Fprintf(streams.Stderr(), "compare it: kubestep diff %s --without-faults\n", f.out)
	default:
		fmt.Fprintf(streams.Stderr(), "run it: kubestep run %s\n", strings.Join(append([]string{f.out}, f.choices.args()...), " "))
	}
	return nil
}
