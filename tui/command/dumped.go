package command

import (
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/language/snapshot"
	"github.com/kubestep/kubestep/scenarios/reading/why"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// printDumped says what a run makes of a dump, if the file is one.
func printDumped(streams cli.Streams, file string) {
	if !snapshot.IsDump(file) {
		return
	}
	if _, report, err := snapshot.Load(file); err == nil {
		report.Print(streams.Stderr())
	}
}

// printResolved lists the objects that were not as wanted in a dump, although they wait for nothing that it shows, and are as
// wanted after the run. Their controllers were at work when the dump was taken, or stuck because of something that no dump
// shows, such as a stale cache or a key that was dropped. The controllers of the run have just started, and do not have that.
// Of an object that depends on a Node which the scenario invents, the run tells nothing.
func printResolved(out io.Writer, file string, o *runner.Outcome) {
	unmet, invented := map[string]bool{}, inventedFor(file)
	for _, u := range o.Unmet {
		unmet[u.Object] = true
	}
	for _, answer := range dumpedAnswers(file) {
		object := trace.ObjectName(answer.Object)
		if answer.Verdict != why.Unknown || unmet[object] || !o.Rests {
			continue
		}
		unmet[object] = true
		if node := invented[answer.Object]; node != "" {
			fmt.Fprintf(out, "\nunknown  %s: in the dump, %s\n"+
				"  The dump does not have Node %s; the scenario creates it, so the run does not show what happens in the cluster.\n",
				object, answer.Lacks, node)
			continue
		}
		fmt.Fprintf(out, "\nresolved %s: in the dump, %s; after the run, it is as wanted\n"+
			"  If the cluster stays so, %s is stuck because of what no dump shows, such as a stale cache or a key that it dropped.\n"+
			"  A restart ends that: the controllers of the run have just started.\n",
			object, answer.Lacks, answer.Controller)
	}
}

// inventedFor are the objects of a dump whose state in a run depends on a Node that the dump does not have, and its name.
func inventedFor(file string) map[trace.Object]string {
	if !snapshot.IsDump(file) {
		return nil
	}
	_, report, err := snapshot.Load(file)
	if err != nil {
		return nil
	}
	return report.Invented
}

// dumpedAnswers are those for the objects of a dump that are not as wanted.
func dumpedAnswers(file string) []*why.Answer {
	if !snapshot.IsDump(file) {
		return nil
	}
	opened, err := input.Open(file, input.Dump)
	if err != nil {
		return nil
	}
	defer opened.Close()
	history, err := readDump(file, opened)
	if err != nil {
		return nil
	}
	instant, err := history.Parse("")
	if err != nil {
		return nil
	}
	return instant.Unmet("")
}

// compare runs a dump and compares its end with the dump, for all objects that are not as wanted; nothing if the file is none, or if the
// question is another one.
func (f *whyFlags) compare(streams cli.Streams, args []string, dumped *why.Instant) ([]*why.Comparison, error) {
	if len(args) > 1 || !f.isDump(args[0]) {
		return nil, nil
	}
	scenario, report, err := snapshot.Load(args[0])
	if err != nil {
		return nil, err
	}
	opened, err := input.Open(args[0], input.Dump)
	if err != nil {
		return nil, cli.InputError(err)
	}
	defer opened.Close()
	dump, err := snapshot.Read(opened)
	if err != nil {
		return nil, cli.DumpError(args[0], err)
	}
	rec, err := play(streams, scenario, f.recordedFlags)
	if err != nil {
		return nil, err
	}
	end, err := why.New(rec).Parse("")
	if err != nil {
		return nil, err
	}
	said := func(o trace.Object) []string {
		kind := dump.Kinds.Of(schema.ParseGroupResource(o.Resource))
		if kind == nil {
			return nil
		}
		return dump.Said(kind.Kind, o.Namespace, o.Name)
	}
	return why.Compare(dumped, end, f.namespace, why.Dumped{Said: said, Invented: report.Invented, Fetch: report.Fetch}), nil
}

// readDump reads what kubestep why can tell of a dump.
func readDump(file string, in io.Reader) (*why.History, error) {
	dump, err := snapshot.Read(in)
	if err != nil {
		return nil, cli.DumpError(file, err)
	}
	dump.File = file
	return why.FromDump(dump)
}
