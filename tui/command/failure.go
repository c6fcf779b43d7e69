package command

import (
	"fmt"
	"io"
	"slices"

	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant"
	"github.com/kubestep/kubestep/sim/trace"
)

// contextLines is how much of the trace is shown before the record that failed a check.
const contextLines = 10

// failures remembers what happened just before each check failed, for the forms of output that do not
// show the trace itself.
type failures struct {
	recent  []*trace.Record
	causes  *trace.Passing
	context map[string][]*trace.Record
}

func newFailures() *failures { return &failures{causes: trace.NewPassing()} }

// note is a trace.Sink.
func (f *failures) note(record *trace.Record, _ []byte) {
	f.causes.Add(record)
	if record.Background || record.Log != nil || record.Timer != nil {
		return
	}
	if record.Check != nil && !record.Check.Passed {
		if f.context == nil {
			f.context = map[string][]*trace.Record{}
		}
		f.context[record.Check.Name] = append([]*trace.Record(nil), f.recent...)
	}
	f.recent = append(f.recent, record)
	if len(f.recent) > contextLines {
		f.recent = f.recent[1:]
	}
}

// print writes the failed checks of a run, each with its context, and how to see the run again.
func (f *failures) print(out io.Writer, o *runner.Outcome, file string, width int) {
	failed := false
	var told []invariant.Requeue
	for _, check := range o.Checks {
		if check.Result == runner.Pass || o.Result == runner.Fault && check.Undecided {
			continue
		}
		failed = true
		if check.Requeue != nil {
			told = append(told, *check.Requeue)
		}
		fmt.Fprintf(out, "\nFAILED %s: %s\n", check.Name, check.Message)
		if records := f.context[check.Name]; len(records) > 0 {
			fmt.Fprintf(out, "  the last records before it:\n%s", compare.Lines(records, &f.causes.Causes, width))
		}
	}
	if failed {
		printRequeues(out, slices.DeleteFunc(slices.Clone(o.Requeues), func(q invariant.Requeue) bool {
			return slices.Contains(told, q)
		}))
		fmt.Fprintf(out, "\nRun it again: kubestep run %s --seed %d\n", file, o.Seed)
	}
}

// requeuesShown is how many keys are listed; -o json has all of them.
const requeuesShown = 5

// printRequeues tells what controllers had not given up when the run ended: often the reason that a check failed.
func printRequeues(out io.Writer, requeues []invariant.Requeue) {
	if len(requeues) == 0 {
		return
	}
	fmt.Fprintln(out, "\nStill retried when the run ended:")
	for _, q := range requeues[:min(len(requeues), requeuesShown)] {
		fmt.Fprintf(out, "  %s\n", q)
	}
	if more := len(requeues) - requeuesShown; more > 0 {
		fmt.Fprintf(out, "  and %d more (-o json)\n", more)
	}
}
