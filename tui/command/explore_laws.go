package command

import (
	"bufio"
	"context"
	"fmt"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/cli/sandbox"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/reading/law"
)

// addLaws adds the flag of laws.
func (f *exploreFlags) addLaws(flags *pflag.FlagSet) {
	flags.BoolVar(&f.laws, "laws", false,
		"run the scenario's seed with half of each of its times, and with twice the time, instead of many seeds")
}

// tryLaws is how explore tries the times of a scenario.
const tryLaws = "kubestep explore FILE --laws"

// checkLaws finds mistakes in the flags of --laws.
func (f *exploreFlags) checkLaws(flags *pflag.FlagSet) error {
	if !f.laws {
		return nil
	}
	for _, other := range []struct{ name, try string }{
		{"every", "one of them"}, {"exhaustive", "one of them"}, {"seeds", "one of them: --laws runs one seed"}, {"from", "--seed, the seed of all runs"},
		{"futures", "one of them"}, {"at", "one of them: --at needs --futures"},
		{"faults", "one of them: the runs of --laws have no faults"}, {"history", "one of them"},
		{"no-comparison", tryLaws}, {"out", tryLaws + " -o json"}, {"shard", tryLaws}, {"first", tryLaws}, {"confirm", tryLaws},
	} {
		if flags.Changed(other.name) {
			return cli.Usage(fmt.Sprintf("--laws cannot be combined with --%s", other.name), other.try)
		}
	}
	return nil
}

// exploreLaws tries each time of a scenario.
func exploreLaws(streams cli.Streams, file string, flags *exploreFlags) error {
	job, _, err := flags.identify(streams, file)
	if err != nil {
		return err
	}
	if job.Seed, err = flags.seedOf(job.File, "--laws"); err != nil {
		return err
	}
	ctx, stop := interrupt.Context(context.Background())
	defer stop()
	elapsed := output.Stopwatch()
	summary, err := flags.tryTimes(ctx, job)
	switch {
	case ctx.Err() != nil:
		return interrupt.Cause(ctx)
	case err != nil:
		return err
	}
	summary.File, summary.Elapsed = file, elapsed()
	return conclude(bufio.NewWriter(streams.Stdout()), summary, flags.output)
}

// tryTimes asks workers for the times of a scenario, and for what is known of each.
func (f *exploreFlags) tryTimes(ctx context.Context, job child.Job) (*law.Summary, error) {
	reader := f.worker(func(sandbox.Enforced) {})
	job.Times = true
	found, err := ask(ctx, reader, job, runOfOtherTime)
	reader.Close()
	if err != nil {
		return nil, err
	}
	summary := &law.Summary{Name: found.Name, Seed: job.Seed, Findings: make([]*law.Finding, len(found.Times))}
	reports := make([]*child.Report, len(found.Times))
	group, ctx := errgroup.WithContext(ctx)
	for w := range min(f.workers, len(found.Times)) {
		group.Go(func() error {
			worker := f.worker(func(sandbox.Enforced) {})
			defer worker.Close()
			for i := w; i < len(reports); i += f.workers {
				job := job
				job.Times, job.Law = false, i+1
				report, err := ask(ctx, worker, job, runOfOtherTime)
				if err != nil {
					return err
				}
				reports[i] = report
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for i, report := range reports {
		summary.Findings[i] = report.Finding
		summary.Runs += report.Runs
		summary.Spent += max(report.Spent, time.Duration(0))
	}
	return summary, nil
}
