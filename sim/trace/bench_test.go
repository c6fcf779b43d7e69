package trace

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/kubestep/kubestep/sim/trace/diff"
)

// BenchmarkRecorder writes records as a rollout has them: mostly small ones, and updates of a status.
func BenchmarkRecorder(b *testing.B) {
	for _, kind := range []struct {
		name   string
		record Record
	}{
		{"enqueue", Record{Kind: KindEnqueue, Cause: 7, Actor: "replicaset-controller", Enqueue: &Enqueue{Queue: "replicaset", Key: "default/web-7d9f"}}},
		{"update", Record{Kind: KindRequest, Cause: 7, Actor: "replicaset-controller", Request: statusUpdate()}},
		{"create", Record{Kind: KindRequest, Cause: 7, Actor: "replicaset-controller", Request: podCreation()}},
	} {
		b.Run(kind.name, func(b *testing.B) {
			now := time.Duration(0)
			r := NewRecorder(func() time.Duration { now += 1_234_567; return now }, func(*Record, []byte) {})
			b.ReportAllocs()
			for b.Loop() {
				record := kind.record
				r.Emit(&record)
			}
		})
	}
}

func statusUpdate() *Request {
	object := Object{Resource: "replicasets.apps", Namespace: "default", Name: "web-6dc4ff998b"}
	return &Request{
		Verb: "update", Object: object, Subresource: "status", Code: 200, Sent: 3_043_000_000, RV: "76",
		Writes: []Write{{
			Op: OpUpdate, Object: object, UID: "23f5ab10-2bb4-4f3b-ae51-12981caaf073", RV: 76, Before: 66,
			Changes: []diff.Change{
				{Path: "status.readyReplicas", Old: json.RawMessage("1"), New: json.RawMessage("2")},
				{Path: "status.availableReplicas", Old: json.RawMessage("1"), New: json.RawMessage("2")},
			},
		}},
	}
}

func podCreation() *Request {
	object := Object{Resource: "pods", Namespace: "default", Name: "web-6dc4ff998b-mjgpm"}
	data := json.RawMessage(`{"metadata":{"name":"web-6dc4ff998b-mjgpm","generateName":"web-6dc4ff998b-","namespace":"default",` +
		`"labels":{"app":"web","pod-template-hash":"6dc4ff998b"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet",` +
		`"name":"web-6dc4ff998b","uid":"23f5ab10-2bb4-4f3b-ae51-12981caaf073","controller":true,"blockOwnerDeletion":true}]},` +
		`"spec":{"containers":[{"name":"c","image":"example.com/web:v1","imagePullPolicy":"IfNotPresent"}],"restartPolicy":"Always",` +
		`"terminationGracePeriodSeconds":30,"schedulerName":"default-scheduler"},"status":{"phase":"Pending","qosClass":"BestEffort"}}`)
	return &Request{
		Verb: "create", Object: object, Code: 201, Sent: 1_021_800_426, RV: "10",
		Writes: []Write{{Op: OpCreate, Object: object, UID: "84c3efbe-86b2-448c-8bd3-3d4f4cc7cb59", RV: 10, New: data}},
	}
}
