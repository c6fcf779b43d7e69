package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/pflag"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/cli/sandbox"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/sweep"
	"github.com/kubestep/kubestep/scenarios/explore/sweep/orders"
	"github.com/kubestep/kubestep/scenarios/explore/sweep/orders/statespace"
	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// boundUnlessSaid is the default of --bound: CHESS found most bugs of its programs with two.
const boundUnlessSaid = 2

// addOrders adds the flags of --exhaustive.
func (f *exploreFlags) addOrders(flags *pflag.FlagSet) {
	flags.BoolVar(&f.exhaustive, "exhaustive", false,
		"let nothing take time, and enumerate the orders of what is due at one time, instead of many seeds")
	flags.IntVar(&f.bound, "bound", boundUnlessSaid, "with --exhaustive, the `NUMBER` of choices of a run that may differ from the default order")
	flags.StringVar(&f.dot, "dot", "", "with --exhaustive, also write the states and choices to the file `PATH`, for Graphviz")
	flags.StringVar(&f.picture, "picture", "",
		"with --exhaustive, also draw the states and choices to the file `PATH`, which ends in .svg or .html")
}

// tryExhaustive is how explore enumerates orders.
const tryExhaustive = "kubestep explore FILE --exhaustive"

// checkOrders finds mistakes in the flags of --exhaustive.
func (f *exploreFlags) checkOrders(flags *pflag.FlagSet) error {
	if !f.exhaustive {
		for _, own := range []string{"bound", "dot", "picture"} {
			if flags.Changed(own) {
				return cli.Usage("--"+own+" needs --exhaustive", tryExhaustive)
			}
		}
		return nil
	}
	if f.bound < 0 {
		return cli.Usage(fmt.Sprintf("--bound %d is negative", f.bound), "--bound 1")
	}
	if end := filepath.Ext(f.picture); f.picture != "" && end != ".svg" && end != ".html" {
		return cli.Usage("--picture "+f.picture+" does not end in .svg or .html", "--picture states.html")
	}
	for _, other := range []struct{ name, try string }{
		{"seeds", "one of them: --exhaustive has one seed"}, {"from", "--seed, the seed of all runs"},
		{"every", "one of them"}, {"futures", "one of them"}, {"at", "one of them: --at needs --futures"},
		{"faults", "the faults in the scenario itself"}, {"no-comparison", tryExhaustive}, {"history", tryExhaustive},
		{"shard", "a smaller --bound"}, {"first", tryExhaustive}, {"out", "--picture, --dot, or -o json"},
	} {
		if flags.Changed(other.name) {
			return cli.Usage("--exhaustive cannot be combined with --"+other.name, other.try)
		}
	}
	return nil
}

// exploreOrders enumerates the orders of a scenario.
func exploreOrders(streams cli.Streams, file string, flags *exploreFlags) error {
	job, header, err := flags.identify(streams, file)
	if err != nil {
		return err
	}
	seed, err := flags.seedOf(job.File, "--exhaustive")
	if err != nil {
		return err
	}
	if err := errors.Join(output.Check(flags.dot, output.Rights{}), output.Check(flags.picture, flags.pictureRights())); err != nil {
		return err
	}
	store, err := sweep.Open("", header)
	if err != nil {
		return storeError(err)
	}
	defer store.Close()
	var state atomic.Pointer[orders.Progress]
	state.Store(&orders.Progress{Left: 1, More: flags.bound > 0})
	search := orders.Search{
		File: job.File, Text: job.Text, Seed: seed, Bound: flags.bound, Budget: flags.budget, Whole: flags.confirm,
		Workers: flags.workers, Store: store, Worker: func() *child.Worker { return flags.worker(func(sandbox.Enforced) {}) },
		Done: func(p orders.Progress) { state.Store(&p) },
	}
	ctx, stop := interrupt.Context(context.Background())
	defer stop()
	elapsed := output.Stopwatch()
	erase := output.ShowLine(streams.Err, func(elapsed time.Duration) string {
		p := state.Load()
		return ordersProgress(progress{done: p.Runs, left: p.Left, elapsed: elapsed, spent: p.Spent, budget: flags.budget}, p.More)
	})
	found, err := search.Run(ctx)
	erase()
	var wrong *sweep.WrongError
	switch {
	case errors.As(err, &wrong):
		return cli.Usage(wrong.Message, wrong.Try)
	case ctx.Err() != nil:
		return interrupt.Cause(ctx)
	case err != nil:
		return err
	}
	summary := &orders.Summary{
		Found: found, Results: store.Results(), Untrusted: flags.Untrusted, Limits: flags.Given, Seed: seed, Elapsed: elapsed(),
	}
	if err := flags.writeStates(summary); err != nil {
		return err
	}
	return conclude(bufio.NewWriter(streams.Stdout()), summary, flags.output)
}

// writeStates writes the files of --dot and --picture.
func (f *exploreFlags) writeStates(s *orders.Summary) error {
	write := func(path, text string, rights output.Rights) error {
		if err := output.WriteFile(path, []byte(text), rights); err != nil {
			return cli.OutputError(path, err)
		}
		return nil
	}
	if f.dot != "" {
		var text strings.Builder
		if err := s.DOT(&text, s.Results.Header.Name); err != nil {
			return err
		}
		if err := write(f.dot, text.String(), output.Rights{}); err != nil {
			return err
		}
	}
	switch filepath.Ext(f.picture) {
	case ".svg":
		return write(f.picture, statespace.SVG(s), f.pictureRights())
	case ".html":
		return write(f.picture, statespace.Page(s), f.pictureRights())
	}
	return nil
}

// pictureRights are those of --picture.
func (f *exploreFlags) pictureRights() output.Rights {
	const try = "another file: explore replaces only what kubestep has written"
	return output.Rights{Own: []input.Kind{input.Page, input.Film}, Instead: try}
}
