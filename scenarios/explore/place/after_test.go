package place_test

import (
	"testing"

	"github.com/kubestep/kubestep/scenarios/explore/place"
	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// lookAfter are the places of the run with the fault at a place.
func lookAfter(t *testing.T, scenario *format.Scenario, plan *runner.Plan, first *place.Place) []place.Place {
	t.Helper()
	look := place.NewLookAfter(scenario, first)
	run := space.Drawn{Rules: first.Rules}.Plan(plan)
	if _, err := run.Run(runner.RunOptions{Sinks: []trace.Sink{look.Note}}); err != nil {
		t.Fatal(err)
	}
	return look.Places()
}

// TestEachSecondFaultApplies holds for pairs that the second fault applies at the time of its place in the run with the first one, and comes
// after it.
func TestEachSecondFaultApplies(t *testing.T) {
	scenario, plan := plan(t)
	places := look(t, scenario, plan)
	const each, every = 13, 7
	pairs := 0
	for i := 0; i < len(places); i += each {
		first := &places[i]
		for n, second := range lookAfter(t, scenario, plan, first) {
			if second.At <= first.At {
				t.Errorf("%s, then %s", first.What, second.What)
			}
			rule := second.Rules[0]
			if n%every > 0 || rule.Watch != nil && rule.Crash && rule.Nth == 0 {
				continue // the restart of the last ones comes 5s after the event
			}
			pairs++
			faults := place.FaultAt(i+1, first).With(n+1, &second)
			applied := false
			note := func(record *trace.Record, _ []byte) {
				applied = applied || record.Fault != nil && record.Fault.Rule == place.SecondName(rule.Name) && record.At == second.At
			}
			run := space.Drawn{Rules: faults.Rules}.Plan(plan)
			if _, err := run.Run(runner.RunOptions{Sinks: []trace.Sink{note}}); err != nil {
				t.Fatal(err)
			}
			if !applied {
				t.Errorf("pair %s: %s, then %s: the second fault does not apply", faults.Number, first.What, second.What)
			}
		}
	}
	if pairs < 30 {
		t.Errorf("%d pairs", pairs)
	}
}

// TestASecondFaultMeetsTheFirst holds which objects the second one is about: after a fault at a Pod, that Pod and its ReplicaSet, and never
// the other Pod.
func TestASecondFaultMeetsTheFirst(t *testing.T) {
	scenario, plan := plan(t)
	for _, first := range look(t, scenario, plan) {
		if first.Kind != "late-answer" || first.Object.Resource != "pods" {
			continue
		}
		about := map[string]int{}
		for _, second := range lookAfter(t, scenario, plan, &first) {
			about[second.Object.Resource]++
			if second.Object.Resource == "pods" && second.Object != first.Object {
				about["other"]++
			}
		}
		// The other Pod has the same ReplicaSet, whose key is that of both.
		if about["pods"] == 0 || about["replicasets.apps"] == 0 || about["other"] == 0 {
			t.Errorf("after %s: %v", first.What, about)
		}
		return
	}
	t.Error("no Pod is written")
}

// TestNumbers reads and writes the numbers of places and pairs.
func TestNumbers(t *testing.T) {
	for text, want := range map[string]place.Number{"31": 31, "31,7": place.Pair(31, 7), "1,999999": place.Pair(1, 999_999)} {
		if n, ok := place.ParseNumber(text); !ok || n != want || n.String() != text {
			t.Errorf("%s: %d, %t", text, n, ok)
		}
	}
	for _, text := range []string{"", "0", "-1", "x", "1,", "1,0", ",1", "1,2,3", "1, 2", "01", "1,1000000", "1000000"} {
		if n, ok := place.ParseNumber(text); ok {
			t.Errorf("%q is read as %s", text, n)
		}
	}
}
