package recording

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// TestRepeatedObjectsAreApart reads a trace in which the same objects, with the same uids, are created over and over: what each
// of them owns does not grow with the length of the trace. Uids are unique in a cluster, and not in what somebody puts together.
func TestRepeatedObjectsAreApart(t *testing.T) {
	const times, pods = 50, 3
	var seq int64
	builder := NewBuilder()
	write := func(op trace.Op, resource, name, uid, owner string) {
		t.Helper()
		seq++
		object := trace.Object{Resource: resource, Namespace: "default", Name: name}
		w := trace.Write{Op: op, Object: object, UID: uid, RV: uint64(seq)}
		if op == trace.OpCreate {
			metadata := map[string]any{"uid": uid, "name": name}
			if owner != "" {
				metadata["ownerReferences"] = []any{map[string]any{"controller": true, "uid": owner}}
			}
			var err error
			if w.New, err = json.Marshal(map[string]any{"metadata": metadata}); err != nil {
				t.Fatal(err)
			}
		}
		err := builder.Add(&trace.Record{
			Seq: seq, At: time.Duration(seq) * time.Millisecond, Kind: trace.KindRequest, Actor: "kubectl",
			Request: &trace.Request{Verb: "create", Object: object, Code: 201, Writes: []trace.Write{w}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range times {
		for _, op := range []trace.Op{trace.OpCreate, trace.OpDelete} {
			owners := func() {
				write(op, "deployments.apps", "web", "d", "")
				write(op, "replicasets.apps", "web", "r", "d")
			}
			if i > 0 {
				owners()
			}
			for i := range pods {
				write(op, "pods", fmt.Sprintf("web-%d", i), fmt.Sprintf("p%d", i), "r")
			}
			if i == 0 {
				// The Pods are there before their owner, as in a dump of a cluster.
				owners()
			}
		}
	}
	rec := builder.Done(Origin{}, "")
	if len(rec.Workloads()) != times {
		t.Fatalf("%d workloads, want %d", len(rec.Workloads()), times)
	}
	for i, w := range rec.Workloads() {
		if most := len(w.Series); most > 2*pods {
			t.Fatalf("repetition %d: the Deployment has a series of %d points; its Pods have %d", i, most, 2*pods)
		}
		if outcome, ok := w.Outcome(pods); !ok || outcome.Most != pods {
			t.Errorf("repetition %d: at most %d Pods, want %d", i, outcome.Most, pods)
		}
	}
}
