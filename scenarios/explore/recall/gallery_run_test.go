package recall_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/reading/why"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// galleryRun is a run of a scenario of the gallery.
type galleryRun struct {
	scenario *format.Scenario
	report   *child.Report
	outcome  *runner.Outcome
	rec      *recording.Recording
	history  *why.History
	// faulty means that the scenario has faults.
	faulty bool
}

// playGallery runs a scenario, and compares it with the run without its faults.
func playGallery(t *testing.T, file string) galleryRun {
	t.Helper()
	scenario, err := library.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := runner.Prepare(scenario)
	if err != nil {
		t.Fatal(err)
	}
	all, err := verb.ChooseFaults(scenario)
	if err != nil {
		t.Fatal(err)
	}
	rules, steps := verb.CountFaults(scenario, all)
	run := galleryRun{scenario: scenario, faulty: rules+steps > 0}
	builder := recording.NewBuilder()
	maker := child.Maker{Scenario: scenario, Plan: plan, Run: func(plan *runner.Plan, options runner.RunOptions) (*runner.Outcome, error) {
		if run.outcome != nil {
			return plan.Run(options)
		}
		options.Sinks = append(options.Sinks, builder.Sink)
		outcome, err := plan.Run(options)
		run.outcome = outcome
		return outcome, err
	}}
	run.report, err = maker.Report(child.Job{File: file, Seed: scenario.Spec.Seed, Compare: true, SameEnd: true})
	if err != nil || !run.report.Ended() {
		t.Fatalf("%s: %v, %v", file, run.report, err)
	}
	run.rec = builder.Done(recording.Origin{}, "")
	run.history = why.New(run.rec)
	return run
}

// failure is what is wrong with a run, after which record, and about which objects.
type failure struct {
	verdict string
	seq     int64
	about   []trace.Object
}

// failures are those of a run: the invariants that it violates, expected or not, and what the comparison with the run without its faults
// says.
func (g *galleryRun) failures() (all []failure) {
	for record := range g.rec.Of(trace.KindCheck) {
		if !slices.Contains(invariant.Names(), record.Check.Name) {
			continue
		}
		f := failure{verdict: "FAILED " + record.Check.Name, seq: record.Seq - 1}
		if record.Cause != 0 {
			f.seq = record.Cause
			f.about = g.subjects(record.Cause)
		}
		for _, check := range g.outcome.Checks {
			if check.Name == record.Check.Name && check.Invariant {
				f.about = append(f.about, g.named(f.seq, check)...)
				switch {
				case check.Hot != nil:
					f.verdict = runner.VerdictWord(runner.Hot)
				case check.Stuck != nil:
					f.verdict = runner.VerdictWord(runner.Stuck)
				}
			}
		}
		all = append(all, f)
	}
	if len(g.report.Differing) == 0 {
		return all
	}
	f := failure{verdict: runner.VerdictWord(runner.Diverged), seq: g.rec.Len()}
	if g.report.Result == runner.Late {
		f.verdict, f.seq = runner.VerdictWord(runner.Late), g.halfway()
	}
	for _, seq := range []int64{f.seq, g.rec.Len()} {
		for _, o := range g.rec.ObjectsAt(seq) {
			if slices.ContainsFunc(g.report.Differing, func(d trace.Object) bool { return isOf(o, d) }) {
				f.about = append(f.about, o)
				f.about = append(f.about, g.owners(o, seq)...)
			}
		}
	}
	f.about = slices.DeleteFunc(f.about, func(o trace.Object) bool { return g.rec.Replay.ObjectAt(o, f.seq) == nil })
	return append(all, f)
}

// halfway is the record halfway from where the run without the faults had settled, or the first fault applied if that was later, to where the
// run settled.
func (g *galleryRun) halfway() int64 {
	from := g.report.Comparison.Without
	for record := range g.rec.Of(trace.KindFault, trace.KindAction) {
		if record.Fault != nil || verb.ControllerOf(record.Action) != nil {
			from = max(from, record.At)
			break
		}
	}
	return g.rec.Find((from + g.report.Settled) / 2)
}

// isOf reports whether an object has the name of another one, or its pattern.
func isOf(o, pattern trace.Object) bool {
	matches, err := path.Match(pattern.Name, o.Name)
	return err == nil && matches && o.Resource == pattern.Resource && o.Namespace == pattern.Namespace
}

// subjects are what a controller was to bring about with the writes of a record: the object that its sync is about, and objects that it
// updated or deleted. An object that it just created lacks much, and that says nothing.
func (g *galleryRun) subjects(seq int64) (all []trace.Object) {
	record := g.rec.Record(seq)
	actor, _ := trace.SplitActor(record.Actor)
	if start := g.rec.SyncOf(seq); start != 0 {
		all = append(all, g.keyed(actor, g.rec.SyncKey(start)))
	}
	for _, w := range record.Request.Writes {
		if w.Op != trace.OpCreate {
			all = append(all, w.Object)
		}
		all = append(all, g.owners(w.Object, seq)...)
	}
	return slices.DeleteFunc(all, func(o trace.Object) bool { return g.rec.Replay.ObjectAt(o, seq) == nil })
}

// owners are those of an object, up to the first.
func (g *galleryRun) owners(o trace.Object, seq int64) (all []trace.Object) {
	kin := g.rec.KinAt(seq)
	for n := 0; n < len(kin); n++ {
		if kin[n].Object == o && kin[n].Owner.Name != "" && !slices.Contains(all, kin[n].Owner) {
			o = kin[n].Owner
			all = append(all, o)
			n = -1
		}
	}
	return all
}

// keyed is the object of a key of a controller.
func (g *galleryRun) keyed(controller, key string) trace.Object {
	namespace, name, namespaced := strings.Cut(key, "/")
	if !namespaced {
		namespace, name = "", key
	}
	return trace.Object{Resource: controllers.Of(controller).Keys, Namespace: namespace, Name: name}
}

// named are the objects that the result of an invariant names.
func (g *galleryRun) named(seq int64, check runner.CheckResult) (all []trace.Object) {
	var names []string
	if s := check.Stuck; s != nil {
		names = append(names, s.Object)
	}
	if h := check.Hot; h != nil {
		names = append(names, h.Object)
	}
	if q := check.Requeue; q != nil {
		names = append(names, trace.ObjectName(g.keyed(q.Controller, q.Key)))
	}
	for _, o := range g.rec.ObjectsAt(seq) {
		if slices.Contains(names, trace.ObjectName(o)) {
			all = append(all, o)
		}
	}
	return all
}
