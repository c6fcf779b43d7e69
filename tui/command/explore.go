package command

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/cli/sandbox"
	"github.com/kubestep/kubestep/scenarios/cli/version"
	"github.com/kubestep/kubestep/scenarios/explore/builds"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/place"
	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/explore/sweep"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/command/shell"
)

// exploreFlags are the flags of explore.
type exploreFlags struct {
	seeds, from int64
	// futures is the number of seeds if they decide only what comes after at, and past decides what comes before it.
	futures, past int64
	pastSet       bool
	at            string
	shard         string
	first         bool
	confirm       bool
	out           string
	workers       int
	output        string
	faults        []string
	alone         bool
	// history compares each run with ones that create the wanted objects in an empty cluster, too.
	history bool
	// every runs one seed with a fault at each place, and with depth 2 with pairs of faults, for at most a budget of processor time.
	every  bool
	depth  int
	budget time.Duration
	// kubernetes are the versions whose verdicts are compared; one is the build that runs. build is then that of one of them, and nil
	// means this program.
	kubernetes versionList
	build      *builds.Build
	// laws runs one seed with other lengths of each time.
	laws bool
	// exhaustive enumerates the orders of one seed with at most bound choices other than 0, and draws the states to the file dot.
	exhaustive bool
	bound      int
	dot        string
	picture    string
	cli.LimitFlags
}

const exploreLong = `Run a scenario under many seeds and group the failures.

FILE is a scenario file, or the name of a scenario that comes with kubestep (see kubestep list). Each
seed has different latencies, a different order of simultaneous events, and different names. One process per
core runs the seeds one after the other, and ends a run as soon as nothing can change its verdict. The first
three failing seeds of each group run again in a new process, to check that they fail with the same trace. Of
the faults that the first one draws, the report lists those that it needs.
With --confirm, every seed runs again. With --exhaustive, it makes each run to its end instead, and compares how runs continue
from equal states.

With --faults, each seed also draws faults from fault spaces. The scenario needs no changes: it runs once
without faults, and each seed draws from the requests, caches and nodes of that run. Runs with faults are 10
minutes longer.

Each seed with faults also runs without them. A run is stuck if it comes to rest while an object is not in its
desired state. A run is hot if a controller writes or syncs the same without end. A run is diverged if it comes to
rest after its faults, but with other objects than without them: spec.mayDiffer lists exceptions. A run is late if it
settles much later than without its faults. Failures are grouped by what is wrong at the end: the verdict and the
object, or the controller that is hot and the kind of its objects, or the first failure and the kinds of objects that
end in a different state. The output also lists the passing runs that differ most from those without faults.

With --history, a run is also diverged if it comes to rest, at its end or before a step, with other objects than a run
that creates the wanted objects in an empty cluster: something remains of the past. docs/reference/divergence.md lists
what rightly remains.

With --futures NUMBER --at PLACE, the seeds decide only what happens from a virtual time on, from a record on,
or from when a CEL condition is true. Before that, all runs are that of the scenario's seed, or of --seed. The exact build for
Linux makes this past once in each process, and copies the process for each future.

With --every, explore makes one run for each place of the scenario's seed (or of --seed) where a fault can apply, with this one
fault: each write of a controller, and each watch event of an informer, with each kind of fault that fits it. The verdicts are those
of runs with faults. A run ends when its fault is over and it is as the run without faults again, and the last line says how many runs
have returned so; with --confirm, each runs to its end. If no run fails, no single fault of these kinds does damage with this seed.
--budget limits the processor time of all processes together. kubestep run and kubestep shrink take the number of a place as
--place. With --depth 2, explore then tries pairs of faults: one of each kind that passed alone, and one more in its run, at a write
or event about the same object, its owner or one with the same owner. kubestep run takes the numbers of a pair as --place 31,7.

With several versions for --kubernetes, the build for each version makes the same sweep, and explore reports the seeds or places
whose verdicts differ. With --faults, all versions have the faults that the first version draws: kubestep run takes that version as
--drawn-with. With --every, a place is the same if the same write or event has the same fault, whatever its number is. What all versions
do is only counted.

With --laws, explore halves and doubles each time of the scenario, such as minReadySeconds of a Deployment, and compares the runs.
They must end with the same objects, and each object must change for the last time by the difference earlier or later at most,
once for each object that waits for the time. docs/reference/laws.md lists the times.

With --exhaustive, explore enumerates orders instead of drawing latencies: nothing takes time, and where several events are due at
one time, each may come next. The events are: a worker begins with its key, a watch event reaches its client, a response reaches its
client, a request reaches the API server, the scheduler or a kubelet acts. A run is a list of choices, each the place of the event
that comes next; 0 is the default. explore makes every run in which at most --bound choices are not 0, and ends a run at a state
that another one has been in. A run fails as in other sweeps, and if it ends with other objects than the default order. What else a
seed draws stays as it is, and so do startup and the order of Events, leases and heartbeats. --picture draws the states and choices,
and --dot writes them for Graphviz. kubestep run takes the choices of one run as --choices. This is for scenarios with few
objects: docs/reference/exhaustive.md has some.

With --out, the results are stored in PATH/results.jsonl, one line per seed, and the same command resumes an
interrupted sweep. --shard i/n runs every n-th seed, starting with the one at index i (0 to n-1).
kubestep explore merge joins the results of the shards.

The limits (--timeout, --max-memory, --max-records) apply to each run; a run that exceeds one fails. Use
--untrusted for scenarios from people you do not know, as in kubestep run: the processes that read and run the
scenario cannot open files or connections (on Linux), and have the same limits.

The exit code is 0 when all seeds passed, 1 when one failed, 2 when the command or the scenario is
invalid, 4 when the output cannot be written, and 130 after Ctrl-C. With several versions, it is 0 when no
verdict differs, and 1 when one differs.`

func newExplore(streams cli.Streams) *cobra.Command {
	flags := &exploreFlags{}
	cmd := &cobra.Command{
		Use:   "explore FILE",
		Short: "Run a scenario under many seeds and group the failures",
		Long:  exploreLong,
		Example: `  kubestep explore rolling-update --seeds 200
  kubestep explore rolling-update --faults flaky-api,crash-anywhere
  kubestep explore rolling-update --futures 1000 --at 16s
  kubestep explore rolling-update --futures 1000 --at "deployment('web').status.updatedReplicas == 5"
  kubestep explore my.yaml --every --budget 60s
  kubestep explore my.yaml --every --depth 2
  kubestep explore my.yaml --seeds 500 --faults flaky-api --kubernetes 1.36,1.37
  kubestep explore my.yaml --laws
  kubestep explore my.yaml --exhaustive --bound 1 --budget 60s --picture states.html
  kubestep explore my.yaml --seeds 100000 --out results
  kubestep explore my.yaml --seeds 100000 --shard 3/16 --out results-3
  kubestep explore merge results-*`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Usage(fmt.Sprintf("explore takes one scenario, not %d", len(args)), "kubestep explore NAME --seeds 100")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			seeds, err := flags.validate(cmd.Flags())
			if err := cmp.Or(err, flags.Complete(cmd), flags.checkVersions(cmd.Flags())); err != nil {
				return err
			}
			if len(flags.kubernetes) > 1 {
				return exploreVersions(cmd.Context(), streams, args[0], seeds, flags)
			}
			if flags.laws {
				return exploreLaws(streams, args[0], flags)
			}
			if flags.exhaustive {
				return exploreOrders(streams, args[0], flags)
			}
			return explore(streams, args[0], seeds, flags)
		},
	}
	cmd.Flags().Int64Var(&flags.seeds, "seeds", 100, "`NUMBER` of seeds")
	flags.addFutures(cmd.Flags())
	flags.addEvery(cmd.Flags())
	cmd.Flags().Var(&flags.kubernetes, builds.Flag,
		"use the build for this version of Kubernetes, or compare the verdicts of several `VERSIONS`, such as 1.36,1.37")
	flags.addLaws(cmd.Flags())
	flags.addOrders(cmd.Flags())
	cmd.Flags().Int64Var(&flags.from, "from", 1, "first `SEED`")
	cmd.Flags().StringVar(&flags.shard, "shard", "0/1", "run only `SHARD` i/n: every n-th seed, starting with the one at index i (0 to n-1)")
	cmd.Flags().BoolVar(&flags.first, "first", false, "stop at the first failure")
	cmd.Flags().BoolVar(&flags.confirm, "confirm", false,
		"run each seed twice, the second time in a new process, and compare the trace hashes; with --exhaustive, make each run to its end")
	cmd.Flags().StringSliceVar(&flags.faults, "faults", nil, "draw faults from these fault `SPACES`, separated by commas: "+space.Names())
	cmd.Flags().BoolVar(&flags.alone, "no-comparison", false,
		"do not run each seed without its faults; disables the verdicts \"diverged\" and \"late\"")
	cmd.Flags().BoolVar(&flags.history, "history", false,
		"also compare each run, at its end and at rest before steps, with one that creates the wanted objects in an empty cluster")
	cmd.Flags().StringVar(&flags.out, "out", "", "keep the results in the directory `PATH`; run again with the same one to resume")
	shell.Directory(cmd.Flags(), "out")
	cmd.Flags().IntVar(&flags.workers, "workers", runtime.GOMAXPROCS(0), "`NUMBER` of processes that run at the same time")
	shell.OutputFormat(cmd.Flags(), &flags.output, "text", "json")
	flags.AddTo(cmd)
	cmd.AddCommand(newExploreMerge(streams))
	return cmd
}

func (f *exploreFlags) validate(flags *pflag.FlagSet) (sweep.Seeds, error) {
	if err := cmp.Or(f.checkLaws(flags), f.checkOrders(flags), f.checkEvery(flags), f.checkFutures(flags)); err != nil {
		return sweep.Seeds{}, err
	}
	seeds := sweep.Seeds{From: f.from, Count: f.seeds}
	index, count, found := strings.Cut(f.shard, "/")
	var errs [2]error
	seeds.Shard, errs[0] = strconv.ParseInt(index, 10, 64)
	seeds.Shards, errs[1] = strconv.ParseInt(count, 10, 64)
	switch {
	case f.seeds < 1:
		return seeds, cli.Usage(fmt.Sprintf("--seeds %d: must be at least 1", f.seeds), "--seeds 100")
	case f.seeds > sweep.CountMax:
		return seeds, cli.Usage(
			fmt.Sprintf("--seeds %d exceeds the maximum of %d", f.seeds, sweep.CountMax), "several sweeps with --from")
	case f.from > math.MaxInt64-f.seeds:
		return seeds, cli.Usage(fmt.Sprintf("--from %d: fewer than %d seeds follow", f.from, f.seeds), "--from 1")
	case !found || errors.Join(errs[:]...) != nil:
		return seeds, cli.Usage(fmt.Sprintf("--shard %q is not of the form i/n", f.shard), "--shard 0/4")
	case seeds.Shards < 1:
		return seeds, cli.Usage(fmt.Sprintf("--shard %s: the number of shards must be at least 1", f.shard), "--shard 0/1")
	case seeds.Shards > sweep.ShardsMax:
		return seeds, cli.Usage(fmt.Sprintf("--shard %s exceeds the maximum of %d shards", f.shard, sweep.ShardsMax), "fewer shards")
	case seeds.Shard < 0 || seeds.Shard >= seeds.Shards:
		return seeds, cli.Usage(fmt.Sprintf("--shard %s is out of range: the first shard is 0", f.shard),
			fmt.Sprintf("--shard 0/%d to --shard %d/%d", seeds.Shards, seeds.Shards-1, seeds.Shards))
	case seeds.Shard >= f.seeds && !f.every:
		return seeds, cli.Usage(fmt.Sprintf("--shard %s contains none of the %d seeds", f.shard, f.seeds),
			"more --seeds, or fewer shards")
	case f.workers < 1:
		return seeds, cli.Usage(fmt.Sprintf("--workers %d: must be at least 1", f.workers),
			"--workers "+strconv.Itoa(runtime.GOMAXPROCS(0)))
	}
	return seeds, cmp.Or(cli.CheckOutput(f.output), checkSpaces(f.faults))
}

// worker is a process that runs seeds. It calls sandboxed when it starts in a sandbox.
func (f *exploreFlags) worker(sandboxed func(sandbox.Enforced)) *child.Worker {
	worker := &child.Worker{Flags: f.Arguments()}
	if f.build != nil {
		worker.Executable = f.build.Path
	}
	if f.Untrusted {
		worker.Sandbox = &sandbox.Options{Limits: f.Sandbox(), Require: f.Required, Started: sandboxed}
	}
	return worker
}

// identify finds out what is swept. A scenario that is not trusted is read by a worker only.
func (f *exploreFlags) identify(streams cli.Streams, file string) (child.Job, sweep.Header, error) {
	past, err := f.pastOf(file)
	if err != nil {
		return child.Job{}, sweep.Header{}, err
	}
	job := child.Job{File: file, Past: past}
	header := sweep.Header{
		File: file, Kubernetes: controllers.KubernetesVersion, Kubestep: version.Version, Promise: exact.Build(),
		Spaces: strings.Join(f.faults, ","), Compared: !f.alone, History: f.history, Past: past,
	}
	switch {
	case f.build != nil:
		header.Kubernetes, header.Promise = f.build.Kubernetes, f.build.Build
	case f.Untrusted:
		text, err := readUntrusted(file)
		if err != nil {
			return job, header, err
		}
		job.Text = string(text)
	default:
		scenario, _, err := read(job)
		if err != nil {
			return job, header, err
		}
		header.Name, header.Hash = scenario.Metadata.Name, child.HashOf(scenario)
		return job, header, nil
	}
	worker := f.worker(func(enforced sandbox.Enforced) { enforced.Print(streams.Stderr()) })
	defer worker.Close()
	report, err := worker.Read(job)
	switch {
	case err != nil:
		return job, header, err
	case report.Wrong:
		return job, header, cli.Usage(report.Message, report.Try)
	}
	header.Name, header.Hash = report.Name, report.Scenario
	return job, header, nil
}

// sweeping is a sweep that has begun.
type sweeping struct {
	*sweep.Sweep
	store *sweep.Store
	// left is how many seeds are still to be run, and done and failing how many of them have run, and failed.
	left          int
	done, failing atomic.Int64
}

// begin finds out what is swept, and opens the results. draw may be nil.
func (f *exploreFlags) begin(streams cli.Streams, file string, seeds sweep.Seeds, draw *drawing) (*sweeping, error) {
	job, header, err := f.identify(streams, file)
	if err != nil {
		return nil, err
	}
	var places []place.Place
	if f.every {
		if places, err = f.placesOf(job, &header, &seeds); err != nil {
			return nil, err
		}
	}
	header.Plan, header.DrawnWith = &seeds, draw.by(f.build)
	store, err := sweep.Open(f.out, header)
	if err != nil {
		return nil, storeError(err)
	}
	s := newSweeping(&sweep.Sweep{
		File: job.File, Text: job.Text, Seeds: seeds, Store: store, Workers: f.workers, First: f.first,
		Confirm: f.confirm, Spaces: f.faults, Compare: !f.alone, History: f.history,
		Past: header.Past, Places: places, Budget: f.budget,
		Worker: func() *child.Worker { return f.worker(func(sandbox.Enforced) {}) },
	})
	if draw != nil {
		s.Draw = draw.rules
	}
	return s, nil
}

// newSweeping counts what a sweep runs.
func newSweeping(of *sweep.Sweep) *sweeping {
	s := &sweeping{Sweep: of, store: of.Store}
	s.Done = func(r *sweep.Result) {
		s.done.Add(1)
		if !r.Passed() {
			s.failing.Add(1)
		}
	}
	s.left = len(s.Left())
	s.Workers = min(s.Workers, max(s.left, 1))
	return s
}

// run runs what is left, and shows how far it is.
func (s *sweeping) run(ctx context.Context, streams cli.Streams, prefix string) error {
	erase := output.ShowLine(streams.Err, func(elapsed time.Duration) string {
		done := int(s.done.Load())
		p := progress{done: done, left: s.left - done, elapsed: elapsed, spent: s.Spent(), budget: s.Budget}
		return prefix + sweepProgress(p, int(s.failing.Load()), s.store.Results().Header.Unit())
	})
	defer erase()
	return s.Run(ctx)
}

// explore sweeps.
func explore(streams cli.Streams, file string, seeds sweep.Seeds, flags *exploreFlags) error {
	s, err := flags.begin(streams, file, seeds, nil)
	if err != nil {
		return err
	}
	defer s.store.Close()
	ctx, stop := interrupt.Context(context.Background())
	defer stop()
	elapsed := output.Stopwatch()
	err = s.run(ctx, streams, "")
	out := bufio.NewWriter(streams.Stdout())
	defer out.Flush()
	summary := s.summary(elapsed(), flags)
	if err == nil && flags.depth == 2 && summary.IsComplete() {
		err = explorePairs(ctx, streams, s, summary, flags)
	}
	var wrong *sweep.WrongError
	switch {
	case errors.As(err, &wrong):
		return cli.Usage(wrong.Message, wrong.Try)
	case ctx.Err() != nil:
		return resumable(ctx, streams, out, summary, flags)
	case err != nil:
		return cli.OutputError("", err)
	}
	return conclude(out, summary, flags.output)
}

// summary is what there is to report of the sweep.
func (s *sweeping) summary(elapsed time.Duration, flags *exploreFlags) *sweep.Summary {
	done := int(s.done.Load())
	return &sweep.Summary{
		Results: s.store.Results(), Ran: done, Left: s.left - done, Elapsed: elapsed, Untrusted: flags.Untrusted, Limits: flags.Given,
		Spent: s.Spent(), BudgetSpent: flags.budget > 0 && s.Spent() >= flags.budget,
		Classes: sweep.ClassesOf(s.Places, s.store.Results().Ran),
	}
}

// resumable ends a sweep that somebody ended, and says how it can continue.
func resumable(ctx context.Context, streams cli.Streams, out *bufio.Writer, summary *sweep.Summary, flags *exploreFlags) error {
	if err := conclude(out, summary, flags.output); err != nil && !errors.Is(err, cli.ErrChecksFailed) {
		return err
	}
	last := cmp.Or(summary.Pairs, summary)
	left := trace.Count(last.Left, last.Header.Unit())
	if flags.out == "" {
		cli.PrintError(streams.Stderr(), "interrupted: "+left+" did not run, and no results were kept",
			"--out PATH to keep the result of each seed")
	} else {
		cli.PrintError(streams.Stderr(), fmt.Sprintf("interrupted: %s did not run; the results of the others are in %s", left, flags.out),
			"the same command again to resume")
	}
	return interrupt.Cause(ctx)
}

// storeError describes what is wrong with a directory of results.
func storeError(err error) error {
	var format *sweep.FormatError
	var other *sweep.OtherError
	var locked *sweep.LockedError
	var planless *sweep.NoPlanError
	var plan *sweep.PlanError
	switch {
	case errors.As(err, &locked):
		return cli.Usage(err.Error(), "another --out, or the same command when the other sweep has ended")
	case errors.As(err, &format) && format.Line > 1:
		return cli.Usage(err.Error(), "the file without that line: its seed runs again")
	case errors.As(err, &format):
		return cli.Usage(err.Error(), "a directory that kubestep explore --out wrote")
	case errors.As(err, &other):
		return cli.Usage(err.Error(), "another --out")
	case errors.As(err, &planless):
		return cli.Usage(err.Error(), "kubestep explore again, with another --out")
	case errors.As(err, &plan):
		return cli.Usage(err.Error(), "the parts of one sweep: the same --seeds and --from for all shards")
	}
	return cli.OutputError("", err)
}

// conclusion is how a sweep, a search or the trial of laws ended.
type conclusion interface {
	Text(out io.Writer)
	JSON(out io.Writer) error
	Failed() bool
}

// conclude reports a conclusion.
func conclude(out *bufio.Writer, s conclusion, output string) error {
	if output == "json" {
		if err := s.JSON(out); err != nil {
			return err
		}
	} else {
		s.Text(out)
	}
	if err := out.Flush(); err != nil {
		return cli.OutputError("", err)
	}
	if s.Failed() {
		return cli.ErrChecksFailed
	}
	return nil
}
