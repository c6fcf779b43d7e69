package law

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/diff"
)

// run is a run in which a ReplicaSet has so many Pods, each Ready a while after the one before, and in which the last Pod is available at
// the end.
func run(pods int, gap, end time.Duration) *Look {
	look := NewLook()
	write := func(at time.Duration, w trace.Write) {
		record := &trace.Record{At: at, Actor: "replicaset-controller", Request: &trace.Request{Verb: "update", Object: w.Object}}
		record.Request.Writes = []trace.Write{w}
		look.Note(record, nil)
	}
	set := trace.Object{Resource: "replicasets.apps", Namespace: "default", Name: "web"}
	write(0, trace.Write{Op: trace.OpCreate, Object: set, New: json.RawMessage(`{"metadata": {"uid": "set"}}`)})
	for i := range pods {
		at, uid := time.Duration(i)*gap, string(rune('a'+i))
		pod := trace.Object{Resource: "pods", Namespace: "default", Name: uid}
		write(at, trace.Write{Op: trace.OpCreate, Object: pod, UID: uid, New: json.RawMessage(
			`{"metadata": {"uid": "` + uid + `", "ownerReferences": [{"uid": "set", "controller": true}]}}`)})
		write(at, trace.Write{Op: trace.OpUpdate, Object: pod, UID: uid, Changes: []diff.Change{
			{Path: "status.conditions[type=Ready].status", Old: json.RawMessage(`"False"`), New: json.RawMessage(`"True"`)},
		}})
	}
	write(end, trace.Write{Op: trace.OpUpdate, Object: set, UID: "set"})
	return look
}

// TestHowOftenATimeIsWaitedFor: Pods that wait one after another may wait once each, and Pods that wait side by side count once.
func TestHowOftenATimeIsWaitedFor(t *testing.T) {
	minReady := &Time{Object: "replicaset/web", Namespace: "default", Path: "spec.minReadySeconds", Value: 40 * time.Second, Field: Fields[0]}
	second := time.Second
	for _, test := range []struct {
		name           string
		pods           int
		short, long    time.Duration
		gapShort, gap  time.Duration
		waiting, times int
		late, often    bool
	}{
		{name: "once", pods: 1, short: 20 * second, long: 40 * second, waiting: 1, times: 1},
		{name: "not at all", pods: 1, short: 30 * second, long: 31 * second, waiting: 1},
		{name: "twice by one Pod", pods: 1, short: 40 * second, long: 80 * second, waiting: 1, times: 2, often: true},
		{name: "twice by two Pods in order", pods: 2, gapShort: 20 * second, gap: 40 * second, short: 40 * second, long: 80 * second, waiting: 2, times: 2},
		{name: "twice by two Pods side by side", pods: 2, short: 40 * second, long: 80 * second, waiting: 1, times: 2, often: true},
		{name: "later with the shorter time", pods: 1, short: 60 * second, long: 40 * second, waiting: 1, late: true},
	} {
		shift := Judge(minReady, 20*second, 40*second, run(test.pods, test.gapShort, test.short), run(test.pods, test.gap, test.long))
		if shift.Waiting != test.waiting || shift.Most.Times != test.times || len(shift.Often) > 0 != test.often || len(shift.Late) > 0 != test.late {
			t.Errorf("%s: %+v", test.name, shift)
		}
		if shift.Breaks(minReady) != (test.often || test.late) {
			t.Errorf("%s: breaks: %v", test.name, shift.Breaks(minReady))
		}
	}
}
