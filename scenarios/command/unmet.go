package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/snapshot"
)

// printUnmet says at the end of a run which objects are stuck or held, and what others wait for. Under each is the command that says
// why.
func printUnmet(out io.Writer, o *runner.Outcome, why func(object string) string) {
	for _, verdict := range runner.UnmetVerdicts {
		for _, u := range o.Unmet {
			if u.Verdict() != verdict {
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
