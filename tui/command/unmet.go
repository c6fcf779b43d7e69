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
	at := ""
	if snapshot.IsDump(r.file) && r.flags.traceOut == "" && !r.needsTrace() {
		// Without a time, why asks about the state in the dump.
		at = compact(o.VirtualSeconds)
	}
	why := r.whyAt(o)
	return func(object string) string { return why(object, at) }
}

// needsTrace reports whether kubestep why cannot make the run itself.
func (r *oneRun) needsTrace() bool { return r.flags.withoutFaults.isGiven() || r.flags.sealed != "" }

// whyAt is the command that says it for a time or a record; for the end, if that is empty. Without an object, it lists all that are not in
// their desired state.
func (r *oneRun) whyAt(o *runner.Outcome) func(object, at string) string {
	before, options := "", ""
	file := r.file
	switch f := r.flags; {
	case f.traceOut != "":
		file = f.traceOut
	case r.needsTrace():
		file, before = someTrace, "run again with --trace-out "+someTrace+", then "
	default:
		if f.seedSet {
			options += fmt.Sprintf(" --seed %d", o.Seed)
		}
		for _, word := range slices.Concat(f.addedFaults.args(), future.Args(f.futures), f.choices.args()) {
			options += " " + cli.ShellWord(word)
		}
	}
	return func(object, at string) string {
		command := before + "kubestep why " + file
		if object != "" {
			command += " " + object
		}
		if command += options; at != "" {
			command += " --at " + at
		}
		return command
	}
}
