package command

import (
	"fmt"
	"io"

	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/snapshot"
)

// unmet counts the objects that are stuck or waiting at the end of a run.
func unmet(o *runner.Outcome) string {
	var stuck, waiting int
	for _, u := range o.Unmet {
		if u.Stuck {
			stuck++
		} else {
			waiting++
		}
	}
	text := ""
	if stuck > 0 {
		text += fmt.Sprintf("  stuck %d", stuck)
	}
	if waiting > 0 {
		text += fmt.Sprintf("  waiting %d", waiting)
	}
	return text
}

// printUnmet says at the end of a run which objects are stuck, and what others wait for. Under each is the command that says
// why.
func printUnmet(out io.Writer, o *runner.Outcome, why func(object string) string) {
	for _, stuck := range []bool{true, false} {
		for _, u := range o.Unmet {
			if u.Stuck == stuck {
				fmt.Fprintf(out, "\n%-7s  %s: %s\n  Why: %s\n", verdictOf(u), u.Object, u.Lack, why(u.Object))
			}
		}
	}
}

func verdictOf(u runner.Unmet) string {
	if u.Stuck {
		return "STUCK"
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
