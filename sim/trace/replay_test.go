package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestReplayOfRandomDiffs draws pairs of objects, and expects that the changes between them lead from the
// one to the other, exactly, after a passage through the file format.
func TestReplayOfRandomDiffs(t *testing.T) {
	for seed := range uint64(400) {
		draw := &drawing{rand.New(rand.NewPCG(seed, 1))}
		before := draw.pod()
		after := before
		if draw.IntN(4) > 0 {
			after = draw.mutated(before)
		} else {
			after = draw.pod()
		}
		checkReplay(t, fmt.Sprintf("seed %d, typed", seed), before, after)
		checkReplay(t, fmt.Sprintf("seed %d, untyped", seed), untyped(t, before), untyped(t, after))
	}
}

// unstructured stands for a custom resource, which has no Go type.
type unstructured struct{ Object map[string]any }

func (u *unstructured) UnstructuredContent() map[string]any { return u.Object }
func (u *unstructured) MarshalJSON() ([]byte, error)        { return json.Marshal(u.Object) }

func untyped(t *testing.T, object any) *unstructured {
	t.Helper()
	value, err := decodeValue(marshal(object))
	if err != nil {
		t.Fatal(err)
	}
	return &unstructured{value.(map[string]any)}
}

func checkReplay(t *testing.T, name string, before, after any) {
	t.Helper()
	object := Object{Resource: "pods", Namespace: "default", Name: "web-0"}
	changes := Diff(before, after)
	records := []*Record{
		{Kind: KindRequest, Request: &Request{Writes: []Write{{Op: OpCreate, Object: object, RV: 7, New: marshal(before)}}}},
		{Kind: KindRequest, Request: &Request{Writes: []Write{{Op: OpUpdate, Object: object, RV: 8, Changes: changes}}}},
	}
	var file bytes.Buffer
	recorder := NewRecorder(func() time.Duration { return 0 }, func(_ *Record, line []byte) { file.Write(line) })
	for _, record := range records {
		recorder.Emit(record)
	}
	replay := NewReplay()
	for record, err := range ReadJSONL(&file) {
		if err == nil {
			err = replay.Apply(record)
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, marshal(changes))
		}
	}
	for i, want := range []any{before, after} {
		got := replay.ObjectAt(object, int64(i+1))
		if want := recorded(t, want, 7+i); !bytes.Equal(marshal(want), marshal(got)) {
			t.Fatalf("%s: version %d (-want +got):\n%s\n%s", name, i, cmp.Diff(want, got), marshal(changes))
		}
	}
	if equal := bytes.Equal(marshal(recorded(t, before, 0)), marshal(recorded(t, after, 0))); equal != (len(changes) == 0) {
		t.Fatalf("%s: the objects are equal: %t, but changes: %s", name, equal, marshal(changes))
	}
}

// recorded is an object as a recording has it.
func recorded(t *testing.T, object any, rv int) map[string]any {
	m := untyped(t, object).Object
	metadata, ok := m["metadata"].(map[string]any)
	if ok {
		delete(metadata, "managedFields")
		metadata["resourceVersion"] = strconv.Itoa(rv)
	}
	return m
}

// TestReplayKeepsVersions expects that a later write does not touch what was read before.
func TestReplayKeepsVersions(t *testing.T) {
	object := Object{Resource: "deployments.apps", Namespace: "default", Name: "web"}
	write := func(w Write) *Record {
		w.Object = object
		return &Record{Kind: KindRequest, Request: &Request{Writes: []Write{w}}}
	}
	raw := func(text string) json.RawMessage { return json.RawMessage(text) }
	replay := NewReplay()
	for i, record := range []*Record{
		write(Write{Op: OpCreate, RV: 1, New: raw(`{"metadata":{"name":"web"},"spec":{"replicas":3}}`)}),
		write(Write{Op: OpUpdate, RV: 2, Changes: []Change{{Path: "spec.replicas", Old: raw("3"), New: raw("5")}}}),
		{Kind: KindNote, Note: &Note{Text: "not a write"}},
		write(Write{Op: OpDelete, RV: 3}),
		write(Write{Op: OpCreate, RV: 4, New: raw(`{"metadata":{"name":"web"}}`)}),
	} {
		record.Seq = int64(i + 1)
		if err := replay.Apply(record); err != nil {
			t.Fatal(err)
		}
	}
	for seq, want := range []string{
		0: `null`,
		1: `{"metadata":{"name":"web","resourceVersion":"1"},"spec":{"replicas":3}}`,
		2: `{"metadata":{"name":"web","resourceVersion":"2"},"spec":{"replicas":5}}`,
		3: `{"metadata":{"name":"web","resourceVersion":"2"},"spec":{"replicas":5}}`,
		4: `null`,
		5: `{"metadata":{"name":"web","resourceVersion":"4"}}`,
	} {
		if got := string(marshal(replay.ObjectAt(object, int64(seq)))); got != want {
			t.Errorf("after record %d: %s, want %s", seq, got, want)
		}
	}
	for rv, want := range []string{
		0: `null`,
		1: `{"metadata":{"name":"web","resourceVersion":"1"},"spec":{"replicas":3}}`,
		2: `{"metadata":{"name":"web","resourceVersion":"2"},"spec":{"replicas":5}}`,
		3: `null`,
		4: `{"metadata":{"name":"web","resourceVersion":"4"}}`,
		5: `null`,
	} {
		if got := string(marshal(replay.ObjectVersion(object, uint64(rv)))); got != want {
			t.Errorf("as version %d: %s, want %s", rv, got, want)
		}
	}
	if got := replay.Objects("deployments.apps", 4); len(got) != 0 {
		t.Errorf("after the deletion: %v", got)
	}
	if got := replay.Objects("deployments.apps", 5); len(got) != 1 || got[0] != object {
		t.Errorf("after the second creation: %v", got)
	}
	if diff := cmp.Diff([]string{"deployments.apps"}, replay.Resources()); diff != "" {
		t.Error(diff)
	}
}

func TestReplayRefuses(t *testing.T) {
	object := Object{Resource: "pods", Namespace: "default", Name: "web-0"}
	created := Write{Op: OpCreate, Object: object, New: json.RawMessage(`{"spec":{"containers":[{"name":"c"}]}}`)}
	for _, c := range []struct{ path, want string }{
		{"spec..x", `record 2: pods/web-0: path "spec..x": a field's name is missing before ".x"`},
		{"spec.containers[name=d].image", `record 2: pods/web-0: spec.containers[name=d].image: there is no such element`},
		{"spec.containers.image", `record 2: pods/web-0: spec.containers.image: "image" is a field of something that has none`},
		{"spec[0]", `record 2: pods/web-0: spec[0]: an element of something that is no list`},
		{"spec.containers[name=*]", `record 2: pods/web-0: spec.containers[name=*]: the order does not name every element`},
	} {
		replay := NewReplay()
		if err := replay.Apply(&Record{Seq: 1, Request: &Request{Writes: []Write{created}}}); err != nil {
			t.Fatal(err)
		}
		update := Write{Op: OpUpdate, Object: object, Changes: []Change{{Path: c.path, New: json.RawMessage("1")}}}
		err := replay.Apply(&Record{Seq: 2, Request: &Request{Writes: []Write{update}}})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.path, err, c.want)
		}
	}
	update := &Record{Seq: 9, Request: &Request{Writes: []Write{{Op: OpUpdate, Object: object}}}}
	if err := NewReplay().Apply(update); err == nil {
		t.Error("an update of an unknown object is no error")
	}
}
