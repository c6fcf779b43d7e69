package overwrite_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/scenarios/verdict/overwrite"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/diff"
)

// web is the object that all writes of the test are of.
var web = trace.Object{Resource: "deployments.apps", Namespace: "default", Name: "web"}

// set is a record in which an actor changes spec.replicas. cause is the first record of its sync.
func set(seq int64, actor string, cause int64, from, to int) *trace.Record {
	change := diff.Change{Path: "spec.replicas", Old: number(from), New: number(to)}
	return written(seq, actor, cause, trace.Write{Op: trace.OpUpdate, Object: web, Changes: []diff.Change{change}})
}

func number(n int) json.RawMessage { return json.RawMessage(fmt.Sprint(n)) }

func written(seq int64, actor string, cause int64, w trace.Write) *trace.Record {
	return &trace.Record{Seq: seq, Kind: trace.KindRequest, Actor: actor, Cause: cause, Request: &trace.Request{Writes: []trace.Write{w}}}
}

// TestFinder lets a user set a size to 12 in record 20, and an autoscaler write it in a sync that begins earlier or later.
func TestFinder(t *testing.T) {
	const user, autoscaler = "kubectl", "horizontal-pod-autoscaler-controller"
	byUser := set(20, user, 0, 4, 12)
	for _, c := range []struct {
		name    string
		records []*trace.Record
		// want are the fields that are overwritten: record, value before and after, and the record that ends it.
		want []string
	}{
		{"the sync began before", []*trace.Record{byUser, set(30, autoscaler, 10, 12, 6)}, []string{"30: 12 6 until 0"}},
		{"the sync began after", []*trace.Record{byUser, set(30, autoscaler, 25, 12, 6)}, nil},
		{"the controller came first", []*trace.Record{set(15, autoscaler, 10, 4, 6), set(20, user, 0, 6, 12)}, nil},
		{"not in a sync", []*trace.Record{byUser, set(30, autoscaler, 0, 12, 6)}, nil},
		{
			"somebody else wrote in between", []*trace.Record{byUser, set(25, "other-controller", 22, 12, 9), set(30, autoscaler, 10, 9, 6)}, nil,
		},
		{
			"the user sets it again", []*trace.Record{byUser, set(30, autoscaler, 10, 12, 6), set(40, user, 0, 6, 7)},
			[]string{"30: 12 6 until 40"},
		},
		{
			"the object is deleted",
			[]*trace.Record{byUser, set(30, autoscaler, 10, 12, 6), written(50, user, 0, trace.Write{Op: trace.OpDelete, Object: web})},
			[]string{"30: 12 6 until 50"},
		},
	} {
		finder := overwrite.NewFinder(func(actor string) bool { return actor == user })
		var found []*overwrite.Overwrite
		for _, record := range c.records {
			found = append(found, finder.Add(record)...)
		}
		var got []string
		for _, o := range found {
			got = append(got, fmt.Sprintf("%d: %s %s until %d", o.Record, o.Old, o.New, o.Until))
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}
