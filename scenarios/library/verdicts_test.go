package library_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/reading/why"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant"
	"github.com/kubestep/kubestep/scenarios/verdict/liveness"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// A run says of an object that it is stuck or waits, and so does kubestep why, from the recording alone. TestShippedScenarios compares
// them, in the second run of each scenario: at the first record of each time at which the simulation is at rest, again after judgedGap,
// and so on with gaps that double, until the end. The verdict about each object must be the same.

// judgedGap is the time between the first two instants of a time at rest.
const judgedGap = 2 * time.Minute

// judgement is what a run says of its objects at a record.
type judgement struct {
	seq      int64
	at       time.Duration
	verdicts map[string]liveness.Verdict
}

// judge is a trace.Sink that asks a run at some of its records.
type judge struct {
	run  *invariant.Run
	said []judgement
	next time.Duration
	gap  time.Duration
}

func judged(t *testing.T, file string) (options runner.RunOptions, done func()) {
	t.Helper()
	builder, judge := recording.NewBuilder(), &judge{}
	options.Sinks = []trace.Sink{builder.Sink, judge.record}
	options.Judges = func(run *invariant.Run) { judge.run = run }
	return options, func() {
		history := why.New(builder.Done(recording.Origin{}, ""))
		for _, said := range judge.said {
			said.compare(t, file, history)
		}
	}
}

// record asks the run if it is at rest. Before the record of a request, its writes are not made yet.
func (j *judge) record(record *trace.Record, _ []byte) {
	if record.Request != nil || record.At <= 0 {
		return
	}
	if record.At < j.next && j.gap > 0 && j.run.Restless() == "" {
		return
	}
	found, rests := j.run.Judge()
	if !rests {
		j.gap = 0
		return
	}
	j.gap = max(judgedGap, 2*j.gap)
	j.next = record.At + j.gap
	said := judgement{record.Seq, record.At, map[string]liveness.Verdict{}}
	for _, f := range found {
		said.verdicts[f.Controller+" "+trace.ObjectName(f.Object)+" "+f.Missing] = f.Verdict
	}
	j.said = append(j.said, said)
}

// compare asks why at the same record. It also answers about objects whose controllers have no process in the run, and about Pods and
// nodes that only are not Ready.
func (said *judgement) compare(t *testing.T, file string, history *why.History) {
	t.Helper()
	answered := map[string]why.Verdict{}
	for _, a := range history.At(said.seq, said.at).Unmet("") {
		answered[cmp.Or(a.Controller, "")+" "+trace.ObjectName(a.Object)+" "+a.Lacks] = a.Verdict
	}
	place := fmt.Sprintf("%s at record %d, %s", file, said.seq, trace.Seconds(said.at))
	for _, key := range slices.Sorted(maps.Keys(said.verdicts)) {
		if got := answered[key]; got != why.Verdict(said.verdicts[key]) {
			t.Errorf("%s: %s: the run says %q, why says %q", place, key, said.verdicts[key], got)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(answered)) {
		if answered[key] == why.Stuck && said.verdicts[key] != liveness.Stuck {
			t.Errorf("%s: %s: why says %q, the run says %q", place, key, answered[key], said.verdicts[key])
		}
	}
}
