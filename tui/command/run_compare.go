package command

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// checkCompare refuses what --compare does not go with.
func (f *runFlags) checkCompare() error {
	switch {
	case !f.compare.isGiven():
		return nil
	case f.streams():
		return cli.Usage("--compare does not go with -o "+f.output, "-o text, -o summary or -o json")
	case len(f.futures) > 0:
		return cli.Usage("--compare does not go with --future", "kubestep diff FILE --future TIME:SEED, which compares two futures")
	case f.withoutFaults.isGiven():
		return cli.Usage("--compare needs the faults that --without-faults leaves out", "kubestep run FILE --compare")
	case f.Untrusted:
		return cli.Usage("--compare does not go with --untrusted", "kubestep explore FILE --seeds 1 --untrusted, which compares, too")
	}
	return nil
}

// historyValue is the value of --compare that compares with a run without the history.
const historyValue = "history"

// comparesHistory reports whether the run is compared with one that only creates what users want at its end.
func (f *runFlags) comparesHistory() bool { return f.compare.value == historyValue }

// chooseCompared refuses places of --compare that the scenario does not have.
func (f *runFlags) chooseCompared(file string, scenario *format.Scenario) error {
	if f.comparesHistory() {
		return nil
	}
	_, err := f.compare.choose(file, scenario)
	return err
}

// comparer compares the run with others, which it makes after it in this process.
type comparer struct {
	run      *oneRun
	job      child.Job
	maker    *child.Maker
	reporter *child.Reporter
	// outcome is that of the run.
	outcome *runner.Outcome
}

// newComparer prepares a comparison of the run of a plan, which has no faults beside those of the scenario, and adds to the options of the
// run; nil if there is none to make.
func (r *oneRun) newComparer(plan *runner.Plan, seed int64) *comparer {
	if !r.flags.compare.isGiven() {
		return nil
	}
	c := &comparer{run: r, job: child.Job{Seed: seed, Compare: true, SameEnd: true, Against: r.flags.compare.places()}}
	if r.flags.comparesHistory() {
		c.job = child.Job{Seed: seed, History: true}
	}
	if r.flags.place.isGiven() || r.flags.draw.with != "" {
		c.job.Faults = r.drawn
	} else {
		c.job.Spaces = r.flags.draw.spaces
	}
	c.maker = &child.Maker{Scenario: r.scenario, Plan: plan, Run: c.play, Brought: slices.Sorted(maps.Keys(cli.Controllers))}
	c.reporter = c.maker.Begin(c.job, &r.options)
	return c
}

// compare makes the other runs.
func (c *comparer) compare(outcome *runner.Outcome) (*comparison, error) {
	c.outcome = outcome
	report, err := c.maker.Compare(c.job, c.reporter, outcome, space.Drawn{Rules: c.run.drawn})
	if err != nil {
		return nil, err
	}
	return comparisonOf(report, c.job.History), nil
}

// play makes one of the other runs, within the limits of the command.
func (c *comparer) play(plan *runner.Plan, options runner.RunOptions) (*runner.Outcome, error) {
	flags, abort := c.run.flags, func(halt trace.Halt) {
		halt.Message = "the run that it is compared with: " + halt.Message
		// The run has ended, and its trace is complete.
		if err := c.run.traceOut.Commit(endOf(c.outcome)); err != nil {
			fmt.Fprintf(c.run.streams.Stderr(), "Warning: cannot write %v\n", err)
		}
		c.run.abort(halt)
	}
	options.Progress, options.Controllers, options.CheckWork = &engine.Progress{}, cli.Controllers, flags.CheckWork()
	if flags.Limits.Records > 0 {
		options.Sinks = append(options.Sinks, flags.Limits.Counted(options.Progress, abort))
	}
	defer flags.Limits.Guard(options.Progress, abort)()
	return plan.Run(options)
}

// comparison is what --compare finds.
type comparison struct {
	// Verdict is diverged, same, or undecided.
	Verdict string `json:"verdict"`
	// Message says in what the run diverged, or why that cannot be said.
	Message string `json:"message,omitempty"`
	// Ends are all objects that ended otherwise, also those that may.
	Ends []string `json:"ends,omitempty"`
	// Rests is how many rests before steps are as from an empty cluster, too, and RestsLeftOut how many are not compared.
	Rests        int `json:"rests,omitempty"`
	RestsLeftOut int `json:"restsLeftOut,omitempty"`
	// history means that the other run only creates what users want at the end.
	history bool
}

// comparisonOf is what a report says.
func comparisonOf(report *child.Report, history bool) *comparison {
	c := &comparison{Verdict: "same", history: history, Ends: report.HistoryEnds}
	c.Rests, c.RestsLeftOut = report.HistoryRests, report.HistoryLeftOut
	undecided := cmp.Or(report.Undecided, report.HistoryUndecided)
	if report.Comparison != nil {
		c.Ends = report.Comparison.Ends
	}
	switch {
	case report.Result == runner.Diverged:
		c.Verdict, c.Message = runner.Diverged, report.Failures[len(report.Failures)-1].Message
	case undecided != "":
		c.Verdict, c.Message = "undecided", undecided
	}
	return c
}

// difference is the command that shows what the faults change. Those that the seed draws must be in a file for it.
func (r *oneRun) difference(seed int64) string {
	drawn := ""
	switch {
	case r.flags.place.isGiven():
		drawn = "--place " + r.flags.place.number.String()
	case len(r.flags.draw.spaces) > 0:
		drawn = fmt.Sprintf("%s --seed %d", strings.Join(r.flags.draw.args(), " "), seed)
	default:
		return "kubestep diff " + r.file + " " + strings.Join(r.flags.compare.args(), " ")
	}
	return fmt.Sprintf("kubestep shrink %s %s --out small.yaml, then kubestep diff small.yaml --without-faults", r.file, drawn)
}

// print tells what a comparison says, if there is one. show is the command that shows more.
func (c *comparison) print(out io.Writer, show string) {
	if c != nil && c.history {
		c.printHistory(out)
		return
	}
	switch {
	case c == nil:
	case c.Verdict == runner.Diverged:
		fmt.Fprintf(out, "DIVERGED %s\n  What the faults change: %s\n\n", c.Message, show)
	case c.Message != "":
		fmt.Fprintf(out, "UNDECIDED whether it ends as without its faults: %s\n\n", c.Message)
	case len(c.Ends) > 0:
		fmt.Fprintf(out, "SAME END as without its faults, but for %s that may differ\n\n", trace.Count(len(c.Ends), "object"))
	default:
		fmt.Fprint(out, "SAME END as without its faults\n\n")
	}
}

// printHistory tells what a comparison with a run without the history says.
func (c *comparison) printHistory(out io.Writer) {
	switch {
	case c.Verdict == runner.Diverged:
		fmt.Fprintf(out, "DIVERGED from a run that creates the wanted objects in an empty cluster: %s\n", c.Message)
		for _, end := range c.Ends {
			fmt.Fprintln(out, "  "+end)
		}
		fmt.Fprintln(out)
		return
	case c.Message != "":
		fmt.Fprintf(out, "UNDECIDED whether it ends as from an empty cluster: %s\n", c.Message)
	case len(c.Ends) > 0:
		fmt.Fprintf(out, "SAME END as from an empty cluster, but for %s that may differ\n", trace.Count(len(c.Ends), "object"))
	default:
		fmt.Fprint(out, "SAME END as from an empty cluster\n")
	}
	if c.Rests > 0 {
		fmt.Fprintf(out, "  The same at %s before steps\n", trace.Count(c.Rests, "rest"))
	}
	if c.RestsLeftOut > 0 {
		fmt.Fprintf(out, "  Not compared: %s before later steps\n", trace.Count(c.RestsLeftOut, "rest"))
	}
	fmt.Fprintln(out)
}
