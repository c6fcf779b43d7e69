package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/snapshot"
)

// verdicts are those of objects at the end of a run, in the order in which they are listed.
var verdicts = []string{"stuck", "held", "waiting"}

// unmet counts the objects that are stuck, held or waiting at the end of a run.
func unmet(o *runner.Outcome) string {
	count := map[string]int{}
	for _, u := range o.Unmet {
		count[verdictOf(u)]++
	}
	text := ""
	for _, verdict := range verdicts {
		if count[verdict] > 0 {
			text += fmt.Sprintf("  %s %d", verdict, count[verdict])
		}
	}
	return text
}

// printUnmet says at the end of a run which objects are stuck or held, and what others wait for. Under each is the command that says
// why.
func printUnmet(out io.Writer, o *runner.Outcome, why func(object string) string) {
	for _, verdict := range verdicts {
		for _, u := range o.Unmet {
			if verdictOf(u) != verdict {
				continue
			}
			label := verdict
			if u.Stuck {
				label = strings.ToUpper(verdict)
			}
			fmt.Fprintf(out, "\n%-7s  %s: %s\n  Why: %s\n", label, u.Object, u.Lack, why(u.Object))
		}
	}
}

func verdictOf(u runner.Unmet) string {
	switch {
	case u.Stuck:
		return "stuck"
	case u.Held:
		return "held"
	}
	return "waiting"
}

// someTrace is the name of a trace in a hint.
const someTrace = "trace.jsonl"

// why is the command that says why nothing happens to an object at the end of the run. kubestep why plays a scenario as it is,
// and reads the trace of a run with other faults.
func (r *oneRun) why(o *runner.Outcome) func(object string) string {
	before, options := "", ""
	file := r.file
	switch f := r.flags; {
	case f.traceOut != "":
		file = f.traceOut
	case f.changes():
		file, before = someTrace, "run again with --trace-out "+someTrace+", then "
	default:
		if f.seedSet {
			options += fmt.Sprintf(" --seed %d", o.Seed)
		}
		if snapshot.IsDump(r.file) {
			// Without a time, why asks about the state in the dump.
			options += " --at " + compact(o.VirtualSeconds)
		}
	}
	return func(object string) string { return before + "kubestep why " + file + " " + object + options }
}
