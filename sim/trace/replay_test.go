package trace

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/sim/trace/diff"
)

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
		write(Write{Op: OpUpdate, RV: 2, Changes: []diff.Change{{Path: "spec.replicas", Old: raw("3"), New: raw("5")}}}),
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
	if unequal := cmp.Diff([]string{"deployments.apps"}, replay.Resources()); unequal != "" {
		t.Error(unequal)
	}
}

func TestReplayRefuses(t *testing.T) {
	object := Object{Resource: "pods", Namespace: "default", Name: "web-0"}
	created := Write{Op: OpCreate, Object: object, New: json.RawMessage(`{"spec":{"containers":[{"name":"c"}]}}`)}
	for _, c := range []struct{ path, want string }{
		{"spec..x", `record 2: pods/web-0: path "spec..x": the name of a field is missing before ".x"`},
		{"spec.containers[name=d].image", `record 2: pods/web-0: spec.containers[name=d].image: no such element`},
		{"spec.containers.image", `record 2: pods/web-0: spec.containers.image: "image" is a field of a value without fields`},
		{"spec[0]", `record 2: pods/web-0: spec[0]: an element of a value that is not a list`},
		{"spec.containers[name=*]", `record 2: pods/web-0: spec.containers[name=*]: the order does not name every element`},
	} {
		replay := NewReplay()
		if err := replay.Apply(&Record{Seq: 1, Request: &Request{Writes: []Write{created}}}); err != nil {
			t.Fatal(err)
		}
		update := Write{Op: OpUpdate, Object: object, Changes: []diff.Change{{Path: c.path, New: json.RawMessage("1")}}}
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
