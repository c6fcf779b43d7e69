package command

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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
	// written are the latest requests that wrote, and broken says where each check failed first.
	written [rememberedWrites]*trace.Record
	broken  map[string]broken
}

// rememberedWrites is how many requests that write a failed check may lie behind the one that broke it.
const rememberedWrites = 16

// broken is the record of a failed check, and what the write was about that broke it, as arguments of kubestep why; empty if unknown.
type broken struct {
	seq    int64
	object string
}

func newFailures() *failures { return &failures{causes: trace.NewPassing()} }

// mark is a trace.Sink, which notes where checks fail.
func (f *failures) mark(record *trace.Record, _ []byte) {
	if r := record.Request; r != nil && len(r.Writes) > 0 {
		copy(f.written[:], f.written[1:])
		f.written[rememberedWrites-1] = record
	}
	if record.Check == nil || record.Check.Passed {
		return
	}
	if _, again := f.broken[record.Check.Name]; again {
		return
	}
	if f.broken == nil {
		f.broken = map[string]broken{}
	}
	b := broken{seq: record.Seq}
	for _, by := range f.written {
		if by != nil && by.Seq == record.Cause {
			b.object = subjectOf(by.Request.Writes[len(by.Request.Writes)-1])
		}
	}
	f.broken[record.Check.Name] = b
}

// subjectOf is what a write is about: the controller of the object that it created, or the object; empty if it deleted that.
func subjectOf(w trace.Write) string {
	if w.Op == trace.OpDelete {
		return ""
	}
	var created metav1.PartialObjectMetadata
	if json.Unmarshal(w.New, &created) == nil {
		if owner := metav1.GetControllerOf(&created); owner != nil {
			return trace.ObjectName(trace.Object{Resource: strings.ToLower(owner.Kind), Namespace: w.Namespace, Name: owner.Name})
		}
	}
	return trace.ObjectName(w.Object)
}

// why is the command that says why a check failed: for the object that is stuck or hot, or that a write was about which broke the check, at
// the record of the failure. It is empty if the trace does not tell of the failure.
func (f *failures) why(check runner.CheckResult, why func(object, at string) string) string {
	b, known := f.broken[check.Name]
	switch {
	case !known || check.Message == "":
		return ""
	case check.Stuck != nil:
		b.object = check.Stuck.Object
	case check.Hot != nil && strings.Contains(check.Hot.Object, "/"):
		b.object = check.Hot.Object
	}
	return why(b.object, strconv.FormatInt(b.seq, 10))
}

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
func (f *failures) print(out io.Writer, o *runner.Outcome, file string, width int, why func(object, at string) string) {
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
		if line := f.why(check, why); line != "" {
			fmt.Fprintf(out, "  Why: %s\n", line)
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
