package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/language/format"
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

// compareEnds compares the end of the run with those of runs without its faults, in another process: much of what upstream keeps belongs to
// the process.
func (r *oneRun) compareEnds(seed int64) (*child.Report, error) {
	worker := &child.Worker{Flags: r.flags.LimitFlags.Arguments()}
	defer worker.Close()
	job := child.Job{File: r.file, Seed: seed, Spaces: r.flags.draw.spaces, Compare: true, SameEnd: true, Against: r.flags.compare.places()}
	if r.flags.comparesHistory() {
		job.Compare, job.SameEnd, job.Against, job.History = false, false, nil, true
	}
	if r.flags.place.isGiven() || r.flags.draw.with != "" {
		job.Spaces, job.Faults = nil, r.drawn
	}
	report, err := worker.Do(context.Background(), job)
	switch {
	case err != nil:
		return nil, err
	case report.Halt != nil:
		return nil, errors.New("the run that it is compared with: " + report.Halt.Message)
	}
	return report, nil
}

// comparison is what --compare finds.
type comparison struct {
	// Verdict is diverged, same, or undecided.
	Verdict string `json:"verdict"`
	// Message says in what the run diverged, or why that cannot be said.
	Message string `json:"message,omitempty"`
	// Ends are all objects that ended otherwise, also those that may.
	Ends []string `json:"ends,omitempty"`
	// history means that the other run only creates what users want at the end.
	history bool
}

// comparisonOf is what a report says.
func comparisonOf(report *child.Report, history bool) *comparison {
	c := &comparison{Verdict: "same", history: history, Ends: report.HistoryEnds}
	undecided := cmp.Or(report.Undecided, report.HistoryUndecided)
	if report.Comparison != nil {
		c.Ends = report.Comparison.Ends
	}
	switch {
	case report.Result == child.Diverged:
		c.Verdict, c.Message = child.Diverged, report.Failures[len(report.Failures)-1].Message
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
	case c.Verdict == child.Diverged:
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
	case c.Verdict == child.Diverged:
		fmt.Fprintf(out, "DIVERGED from a run that creates the final objects in an empty cluster: %s\n", c.Message)
		for _, end := range c.Ends {
			fmt.Fprintln(out, "  "+end)
		}
		fmt.Fprintln(out)
	case c.Message != "":
		fmt.Fprintf(out, "UNDECIDED whether it ends as from an empty cluster: %s\n\n", c.Message)
	case len(c.Ends) > 0:
		fmt.Fprintf(out, "SAME END as from an empty cluster, but for %s that may differ\n\n", trace.Count(len(c.Ends), "object"))
	default:
		fmt.Fprint(out, "SAME END as from an empty cluster\n\n")
	}
}
