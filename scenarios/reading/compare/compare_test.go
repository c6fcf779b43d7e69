package compare

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// builder makes recordings by hand.
type builder struct {
	t   *testing.T
	seq int64
	*recording.Builder
}

func newBuilder(t *testing.T) *builder { return &builder{t: t, Builder: recording.NewBuilder()} }

func compareBuilt(a, b *builder) *Report {
	return Compare(a.Done(recording.Origin{Name: "a"}, ""), b.Done(recording.Origin{Name: "b"}, ""))
}

func (b *builder) add(record *trace.Record) int64 {
	b.t.Helper()
	b.seq++
	record.Seq, record.At = b.seq, time.Duration(b.seq)*time.Second
	if err := b.Builder.Add(record); err != nil {
		b.t.Fatal(err)
	}
	return b.seq
}

func (b *builder) sync(actor, key string) int64 {
	return b.add(&trace.Record{Kind: trace.KindSync, Actor: actor, Sync: &trace.Sync{Phase: trace.PhaseStart, Key: key}})
}

// create makes an object whose name the server generated.
func (b *builder) create(actor string, cause int64, prefix, random, phase string) {
	object := trace.Object{Resource: "pods", Namespace: "default", Name: prefix + random}
	data, err := json.Marshal(map[string]any{
		"metadata": map[string]any{"generateName": prefix, "name": object.Name, "uid": "0c5cf91d-65a0-4fd4-92d7-6d1a6c6b6f35"},
		"status":   map[string]any{"phase": phase, "startTime": time.Unix(b.seq, 0).UTC().Format(time.RFC3339)},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	sent := object
	sent.Name = ""
	b.add(&trace.Record{Kind: trace.KindRequest, Actor: actor, Cause: cause, Request: &trace.Request{
		Verb: "create", Object: sent, Code: 201, Writes: []trace.Write{{Op: trace.OpCreate, Object: object, RV: uint64(b.seq), New: data}},
	}})
}

func (b *builder) remove(actor string, cause int64, name string) {
	object := trace.Object{Resource: "pods", Namespace: "default", Name: name}
	b.add(&trace.Record{Kind: trace.KindRequest, Actor: actor, Cause: cause, Request: &trace.Request{
		Verb: "delete", Object: object, Code: 200, Writes: []trace.Write{{Op: trace.OpDelete, Object: object, RV: uint64(b.seq)}},
	}})
}

// TestOrderOfControllersIsNoDecision: which of two controllers came first, and what the server called the
// pods, does not make two runs diverge.
func TestOrderOfControllersIsNoDecision(t *testing.T) {
	a, b := newBuilder(t), newBuilder(t)
	a.create("one-controller", a.sync("one-controller", "default/x"), "x-", "bcdfg", "Running")
	a.create("two-controller", a.sync("two-controller", "default/y"), "y-", "bcdfh", "Running")
	b.create("two-controller", b.sync("two-controller", "default/y"), "y-", "zzzzz", "Running")
	b.create("one-controller", b.sync("one-controller", "default/x"), "x-", "wwwww", "Running")
	report := compareBuilt(a, b)
	if report.Equal || report.Divergence == nil || report.Divergence.Seq != 1 {
		t.Errorf("the records differ from the first one on: %+v", report.Divergence)
	}
	if report.Decision != nil || report.Final != nil {
		t.Errorf("decisions %+v, final %+v", report.Decision, report.Final)
	}
}

// TestFirstDecision finds what one controller did next, and the other did not.
func TestFirstDecision(t *testing.T) {
	a, b := newBuilder(t), newBuilder(t)
	for _, side := range []*builder{a, b} {
		cause := side.sync("replicaset-controller", "default/x")
		side.create("replicaset-controller", cause, "x-", "bcdfg", "Running")
		side.create("kubectl", 0, "x-", "bcdfh", "Running")
	}
	a.remove("replicaset-controller", a.sync("replicaset-controller", "default/x"), "x-bcdfg")
	report := compareBuilt(a, b)
	p := report.Decision
	if p == nil || p.A == nil || p.B != nil || p.Key != "default/x" || p.A.Text != "delete pods/x-*  removed" {
		t.Errorf("%+v", p)
	}
	if d := report.Divergence; d == nil || d.Seq != 4 || len(d.Before) != 3 || d.A == nil || d.B != nil {
		t.Errorf("%+v", d)
	}
	pods := trace.Object{Resource: "pods", Namespace: "default", Name: "x-*"}
	if diff := cmp.Diff([]FinalPair{{Object: pods, Bare: true, A: 1, B: 2}}, report.Final); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]WritesPair{{Object: pods, A: 3, B: 2}}, report.Writes); diff != "" {
		t.Error(diff)
	}
}

// TestTheLastRecordsNameTheirCauses: the causes of the records around the first one that differs may be far before them.
func TestTheLastRecordsNameTheirCauses(t *testing.T) {
	a, b := newBuilder(t), newBuilder(t)
	for _, side := range []*builder{a, b} {
		pod := trace.Object{Resource: "pods", Namespace: "default", Name: "x-bcdfg"}
		side.add(&trace.Record{Kind: trace.KindWatch, Actor: "shared-informers", Watch: &trace.Watch{Type: "DELETED", Object: pod}})
		for range 2 * contextRecords {
			side.add(&trace.Record{Kind: trace.KindCheck, Check: &trace.Check{Name: "other", Passed: true}})
		}
		side.add(&trace.Record{Kind: trace.KindEnqueue, Actor: "replicaset-controller", Cause: 1, Enqueue: &trace.Enqueue{}})
	}
	a.add(&trace.Record{Kind: trace.KindEnqueue, Actor: "replicaset-controller", Cause: 1, Enqueue: &trace.Enqueue{}})
	var out strings.Builder
	compareBuilt(a, b).Print(&out, 0)
	if n := strings.Count(out.String(), "because pods/x-bcdfg DELETED"); n != 2 {
		t.Errorf("%d of 2 causes:\n%s", n, out.String())
	}
}

// TestFinalCountsValues compares objects with generated names by how many of them have a value.
func TestFinalCountsValues(t *testing.T) {
	a, b := newBuilder(t), newBuilder(t)
	a.create("kubectl", 0, "x-", "bcdfg", "Running")
	a.create("kubectl", 0, "x-", "bcdfh", "Running")
	b.create("kubectl", 0, "x-", "zzzzz", "Running")
	b.create("kubectl", 0, "x-", "wwwww", "Pending")
	report := compareBuilt(a, b)
	want := []FinalPair{{
		Object: trace.Object{Resource: "pods", Namespace: "default", Name: "x-*"}, Bare: true, A: 2, B: 2,
		Fields: []FieldPair{{Path: "status.phase", A: "Running x2", B: "Pending x1, Running x1"}},
	}}
	if diff := cmp.Diff(want, report.Final); diff != "" {
		t.Error(diff)
	}
}

// TestNames tells a name that the server generated from one that a StatefulSet gave.
func TestNames(t *testing.T) {
	b := newBuilder(t)
	b.create("kubectl", 0, "web-", "bcdfg", "Running")
	b.create("kubectl", 0, "web-", "0", "Running")
	n := newSide(b.Done(recording.Origin{}, "")).finder.names
	for name, want := range map[string]string{
		"web-bcdfg": "web-*", "web-0": "web-0", "10.96.0.7": "(address)",
		"pvc-0c5cf91d-65a0-4fd4-92d7-6d1a6c6b6f35": "pvc-(uid)",
	} {
		if got := n.name(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if got := n.words(`bound "default/web-bcdfg", and web-0`); got != `bound "default/web-*", and web-0` {
		t.Error(got)
	}
	for value, want := range map[string]string{
		"10.0.0.1": "(address)", "2026-01-01T00:00:05Z": "(time)", "web:v1": "web:v1",
		"0c5cf91d-65a0-4fd4-92d7-6d1a6c6b6f35": "(uid)",
	} {
		if got := n.value(value); got != want {
			t.Errorf("%s: %s, want %s", value, got, want)
		}
	}
}

// TestSettled leaves out what depends on the way to a state.
func TestSettled(t *testing.T) {
	object := trace.Object{Resource: "services", Namespace: "default", Name: "web"}
	pair := FinalPair{Object: object, A: 1, B: 1, Fields: []FieldPair{
		{Path: "metadata.generation"}, {Path: "spec.ports[name=http].nodePort"}, {Path: "status.observedGeneration"},
	}}
	if got := Settled([]FinalPair{pair}); len(got) > 0 {
		t.Errorf("%+v", got)
	}
	pair.Fields = append(pair.Fields, FieldPair{Path: "spec.ports[name=http].port"})
	if got := Settled([]FinalPair{pair}); len(got) != 1 || len(got[0].Fields) != 1 {
		t.Errorf("%+v", got)
	}
}

// TestSameLines compares recordings by the hash of the lines that they were read from. The hash of a run is that of its redacted lines, and
// does not say that its records are the same.
func TestSameLines(t *testing.T) {
	built := func(text, hash string, ran bool) *recording.Recording {
		b := newBuilder(t)
		b.add(&trace.Record{Kind: trace.KindNote, Note: &trace.Note{Text: text}})
		return b.Done(recording.Origin{Name: text, Ran: ran}, hash)
	}
	for _, c := range []struct {
		name string
		a, b *recording.Recording
		want bool
	}{
		{"the same file", built("x", "sha256:1", false), built("x", "sha256:1", false), true},
		{"another hash", built("x", "sha256:1", false), built("y", "sha256:2", false), false},
		{"runs with another Secret", built("x", "sha256:1", true), built("y", "sha256:1", true), false},
		{"a run and a file", built("x", "sha256:1", true), built("x", "sha256:1", false), true},
		{"no hash", built("x", "", false), built("y", "", false), false},
	} {
		report := Compare(c.a, c.b)
		if report.Equal != c.want || (report.Divergence == nil) != c.want || report.A.Name != c.a.Name || report.B.Len() != c.b.Len() {
			t.Errorf("%s: equal %t, want %t", c.name, report.Equal, c.want)
		}
		if haveSameLines(c.a, c.b) != (c.name == "the same file") {
			t.Errorf("%s: taken from the hash: %t", c.name, haveSameLines(c.a, c.b))
		}
	}
}
