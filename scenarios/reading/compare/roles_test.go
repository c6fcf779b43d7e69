package compare

import (
	"encoding/json"
	"testing"

	"github.com/kubestep/kubestep/sim/trace"
)

// TestRoles gives what is named after the hash of a template the same name in both versions.
func TestRoles(t *testing.T) {
	create := func(resource, name, prefix string, labels map[string]string) *trace.Record {
		object, err := json.Marshal(map[string]any{"metadata": map[string]any{"name": name, "generateName": prefix, "labels": labels}})
		if err != nil {
			t.Fatal(err)
		}
		of := trace.Object{Resource: resource, Namespace: "default", Name: name}
		return &trace.Record{Request: &trace.Request{Writes: []trace.Write{{Op: trace.OpCreate, Object: of, New: object}}}}
	}
	finder := NewDecisions()
	finder.roles = newRoles("v1.35.4")
	for _, record := range []*trace.Record{
		create("replicasets.apps", "web-758dff96", "", map[string]string{"pod-template-hash": "758dff96"}),
		create("pods", "web-758dff96-x2x4z", "web-758dff96-", nil),
		create("replicasets.apps", "web-5d9f", "", map[string]string{"pod-template-hash": "5d9f"}),
		create("replicasets.apps", "plain-5d9e", "", nil),
		create("controllerrevisions.apps", "db-6b8c", "", map[string]string{"controller.kubernetes.io/hash": "6b8c"}),
		create("controllerrevisions.apps", "agent-7c9d", "", map[string]string{"controller-revision-hash": "7c9d"}),
	} {
		finder.Add(record)
	}
	for text, want := range map[string]string{
		"web-758dff96": "web-(rev1)", "web-758dff96-x2x4z": "web-(rev1)-*", "web-5d9f": "web-(rev2)", "db-6b8c": "db-(rev1)", "agent-7c9d": "agent-(rev1)",
		"758dff96": "(hash)", "web-758dff96-": "web-(rev1)-", "plain-5d9e": "plain-5d9e",
	} {
		if got := finder.names.value(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
