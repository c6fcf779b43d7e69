package diff

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestApplyOfRandomDiffs draws pairs of objects, and expects that the changes between them lead from the one to the
// other, exactly, after a passage through JSON.
func TestApplyOfRandomDiffs(t *testing.T) {
	for seed := range uint64(400) {
		draw := &drawing{rand.New(rand.NewPCG(seed, 1))}
		before := draw.pod()
		after := before
		if draw.IntN(4) > 0 {
			after = draw.mutated(before)
		} else {
			after = draw.pod()
		}
		checkApply(t, fmt.Sprintf("seed %d, typed", seed), before, after)
		checkApply(t, fmt.Sprintf("seed %d, untyped", seed), untyped(t, before), untyped(t, after))
	}
}

// unstructured stands for a custom resource, which has no Go type.
type unstructured struct{ Object map[string]any }

func (u *unstructured) UnstructuredContent() map[string]any { return u.Object }
func (u *unstructured) MarshalJSON() ([]byte, error)        { return json.Marshal(u.Object) }

func untyped(t *testing.T, object any) *unstructured {
	t.Helper()
	value, err := Decode(marshal(t, object))
	if err != nil {
		t.Fatal(err)
	}
	return &unstructured{value.(map[string]any)}
}

func marshal(t *testing.T, value any) []byte {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func checkApply(t *testing.T, name string, before, after any) {
	t.Helper()
	changes := Objects(before, after)
	var read []Change
	if err := json.Unmarshal(marshal(t, changes), &read); err != nil {
		t.Fatal(err)
	}
	first, second := recorded(t, before), recorded(t, after)
	text := marshal(t, first)
	got, err := Apply(first, read)
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, marshal(t, changes))
	}
	if !bytes.Equal(marshal(t, second), marshal(t, got)) {
		t.Fatalf("%s (-want +got):\n%s\n%s", name, cmp.Diff(second, got), marshal(t, changes))
	}
	if !bytes.Equal(text, marshal(t, first)) {
		t.Fatalf("%s: Apply has changed the object that it was given", name)
	}
	if equal := bytes.Equal(text, marshal(t, second)); equal != (len(changes) == 0) {
		t.Fatalf("%s: the objects are equal: %t, but changes: %s", name, equal, marshal(t, changes))
	}
}

// recorded is an object without the metadata that Objects leaves out.
func recorded(t *testing.T, object any) map[string]any {
	m := untyped(t, object).Object
	if metadata, ok := m["metadata"].(map[string]any); ok {
		delete(metadata, "managedFields")
		delete(metadata, "resourceVersion")
	}
	return m
}
