package recording

import (
	"testing"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// TestRevisionsAreThoseOfCaches compares Caches that keep revisions only with those that keep all.
func TestRevisionsAreThoseOfCaches(t *testing.T) {
	pod := func(name string) trace.Object {
		return trace.Object{Resource: "pods", Namespace: "default", Name: name}
	}
	write := func(name string, rv uint64) *trace.Request {
		return &trace.Request{Verb: "create", Object: pod(name), Code: 200, Writes: []trace.Write{{Op: trace.OpCreate, Object: pod(name), RV: rv}}}
	}
	event := func(kind, name string, rv uint64) *trace.Watch {
		return &trace.Watch{Type: kind, Object: pod(name), RV: rv}
	}
	const actor = "kubelet"
	records := []*trace.Record{
		{Actor: "user", Request: write("a", 2)},
		{Actor: actor, Request: &trace.Request{Verb: "list", Object: trace.Object{Resource: "pods"}, Code: 200, RV: "2"}},
		{Actor: actor, Request: &trace.Request{Verb: "watch", Object: trace.Object{Resource: "pods"}, Code: 200}},
		{Actor: "user", Request: write("b", 3)},
		{Actor: actor, Watch: event("ADDED", "b", 3)},
		{Actor: actor, Watch: event("BOOKMARK", "", 4)},
		{Actor: actor, Watch: event("DELETED", "a", 5)},
		// A list of an older revision sets the cache back.
		{Actor: actor, Request: &trace.Request{Verb: "list", Object: trace.Object{Resource: "pods"}, Code: 200, RV: "3"}},
	}
	all, revisions := NewCaches(), NewRevisions()
	for i, record := range records {
		record.Seq, record.At = int64(i+1), time.Duration(i)*time.Second
		all.Add(record)
		revisions.Add(record)
	}
	one, other := all.Read(actor, "pods"), revisions.Read(actor, "pods")
	if one == nil || other == nil {
		t.Fatalf("no informer: %v, %v", one, other)
	}
	if one.Version(pod("b"), int64(len(records))) == 0 || other.Version(pod("b"), int64(len(records))) != 0 {
		t.Error("only caches with a store know objects")
	}
	for seq := range int64(len(records) + 1) {
		if a, b := one.Revision(seq), other.Revision(seq); a != b {
			t.Errorf("after record %d: revision %d, want %d", seq, b, a)
		}
	}
	for from := range len(records) {
		for to := from; to < len(records); to++ {
			a, b := one.Between(time.Duration(from)*time.Second, time.Duration(to)*time.Second)
			c, d := other.Between(time.Duration(from)*time.Second, time.Duration(to)*time.Second)
			if a != c || b != d {
				t.Errorf("from %ds to %ds: %d to %d, want %d to %d", from, to, c, d, a, b)
			}
		}
	}
}
