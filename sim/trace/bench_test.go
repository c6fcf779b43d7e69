package trace

import (
	"encoding/json"
	"testing"
	"time"
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
			Changes: []Change{
				{Path: "status.readyReplicas", Old: json.RawMessage("1"), New: json.RawMessage("2")},
				{Path: "status.availableReplicas", Old: json.RawMessage("1"), New: json.RawMessage("2")},
			},
		}},
	}
}

func podCreation() *Request {
	object := Object{Resource: "pods", Namespace: "default", Name: "web-6dc4ff998b-mjgpm"}
	data, _ := json.Marshal(newPodLike())
	return &Request{
		Verb: "create", Object: object, Code: 201, Sent: 1_021_800_426, RV: "10",
		Writes: []Write{{Op: OpCreate, Object: object, UID: "84c3efbe-86b2-448c-8bd3-3d4f4cc7cb59", RV: 10, New: data}},
	}
}

// BenchmarkDiff compares two versions of a pod as the kubelet's last status update leaves them.
func BenchmarkDiff(b *testing.B) {
	before, after := newPodLike(), newPodLike()
	after.Status.Phase = "Running"
	after.Status.Conditions[1].Status = "True"
	b.ReportAllocs()
	for b.Loop() {
		if len(Diff(before, after)) != 2 {
			b.Fatal("wrong diff")
		}
	}
}
