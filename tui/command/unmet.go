package command

import (
	"fmt"
	"slices"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/future"
	"github.com/kubestep/kubestep/scenarios/language/snapshot"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// someTrace is the name of a trace in a hint.
const someTrace = "trace.jsonl"

// why is the command that says why nothing happens to an object at the end of the run. kubestep why plays a scenario with all of its
// faults, and reads the trace of another run.
func (r *oneRun) why(o *runner.Outcome) func(object string) string {
	before, options := "", ""
	file := r.file
	switch f := r.flags; {
	case f.traceOut != "":
		file = f.traceOut
	case f.withoutFaults.isGiven() || f.choices.order != nil || f.sealed != "":
		file, before = someTrace, "run again with --trace-out "+someTrace+", then "
	default:
		if f.seedSet {
			options += fmt.Sprintf(" --seed %d", o.Seed)
		}
		for _, word := range slices.Concat(f.addedFaults.args(), future.Args(f.futures)) {
			options += " " + cli.ShellWord(word)
		}
		if snapshot.IsDump(r.file) {
			// Without a time, why asks about the state in the dump.
			options += " --at " + compact(o.VirtualSeconds)
		}
	}
	return func(object string) string { return before + "kubestep why " + file + " " + object + options }
}
