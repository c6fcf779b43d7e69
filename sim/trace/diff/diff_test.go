package diff

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestDiff(t *testing.T) {
	zero, one := int32(0), int32(1)
	noon := stamp{time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)}
	conditions := func(kinds ...string) []conditionLike {
		var list []conditionLike
		for _, kind := range kinds {
			list = append(list, conditionLike{Type: kind, Status: "True"})
		}
		return list
	}
	ready := `{"type":"Ready","status":"True","lastProbeTime":null,"lastTransitionTime":null}`
	for _, c := range []struct {
		name   string
		change func(before, after *podLike)
		want   []string
	}{
		{"nothing", func(_, _ *podLike) {}, nil},
		{"scalar", func(b, a *podLike) { b.Status.Phase, a.Status.Phase = "Pending", "Running" }, []string{`status.phase "Pending" "Running"`}},
		{"an omitted zero is absent", func(_, a *podLike) { a.Status.Available = 3 }, []string{`status.availableReplicas - 3`}},
		{"another zero is not", func(b, _ *podLike) { b.Status.Ready = 3 }, []string{`status.readyReplicas 3 0`}},
		{"pointer to zero", func(_, a *podLike) { a.Status.Draining = &zero }, []string{`status.terminatingReplicas - 0`}},
		{"pointers", func(b, a *podLike) { b.Status.Draining, a.Status.Draining = &one, &zero }, []string{`status.terminatingReplicas 1 0`}},
		{"resourceVersion and managedFields", func(_, a *podLike) {
			a.ResourceVersion, a.ManagedFields = "9", []string{"x"}
		}, nil},
		{"a time that is null", func(b, a *podLike) {
			b.Status.Conditions, a.Status.Conditions = conditions("Ready"), conditions("Ready")
			a.Status.Conditions[0].Probed = noon
		}, []string{`status.conditions[type=Ready].lastProbeTime null "2026-01-01T12:00:00Z"`}},
		{"the keys of a new map", func(_, a *podLike) {
			a.Labels = map[string]string{"b": "2", "a.b/c": "1"}
		}, []string{`metadata.labels["a.b/c"] - "1"`, `metadata.labels.b - "2"`}},
		{"a map that goes", func(b, _ *podLike) {
			b.Labels = map[string]string{"b": "2"}
		}, []string{`metadata.labels {"b":"2"} -`}},
		{"a new list", func(_, a *podLike) {
			a.Status.Conditions = conditions("Ready")
		}, []string{`status.conditions - [` + ready + `]`}},
		{"an element comes", func(b, a *podLike) {
			b.Status.Conditions, a.Status.Conditions = conditions("A"), conditions("A", "Ready")
		}, []string{`status.conditions[type=Ready] - ` + ready}},
		{"an element goes", func(b, a *podLike) {
			b.Status.Conditions, a.Status.Conditions = conditions("A", "Ready", "B"), conditions("A", "B")
		}, []string{`status.conditions[type=Ready] ` + ready + ` -`}},
		{"a new order", func(b, a *podLike) {
			b.Status.Conditions, a.Status.Conditions = conditions("A", "B"), conditions("B", "A")
		}, []string{`status.conditions[type=*] ["A","B"] ["B","A"]`}},
		{"a key twice", func(b, a *podLike) {
			b.Status.Conditions, a.Status.Conditions = conditions("A", "A"), conditions("A", "A")
			a.Status.Conditions[1].Reason = "Why"
		}, []string{`status.conditions[1].reason - "Why"`}},
		{"a list whose type says its key", func(b, a *podLike) {
			b.Status.States, a.Status.States = []stateLike{{Name: "x"}, {Name: "y"}}, []stateLike{{Name: "x"}, {Name: "y", Restarts: 1}}
		}, []string{`status.containerStatuses[name=y].restartCount 0 1`}},
		{"a set", func(b, a *podLike) {
			b.Finalizers, a.Finalizers = []string{"a", "b"}, []string{"b", "c d"}
		}, []string{`metadata.finalizers[=a] "a" -`, `metadata.finalizers[="c d"] - "c d"`}},
		{"a list of words in their order", func(b, a *podLike) {
			b.Spec.Containers, a.Spec.Containers = []containerLike{{Name: "c", Args: []string{"x", "y"}}}, []containerLike{{Name: "c", Args: []string{"x"}}}
		}, []string{`spec.containers[name=c].args[1] "y" -`}},
		{"a value that writes itself", func(b, a *podLike) {
			b.Spec.Surge, a.Spec.Surge = &quantityLike{}, &quantityLike{[]string{"7"}}
		}, []string{`spec.maxSurge "0" "07"`}},
	} {
		before, after := &podLike{}, &podLike{}
		c.change(before, after)
		if diff := cmp.Diff(c.want, changeTexts(Objects(before, after))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func changeTexts(changes []Change) []string {
	var texts []string
	orDash := func(value json.RawMessage) string {
		if value == nil {
			return "-"
		}
		return string(value)
	}
	for _, c := range changes {
		texts = append(texts, c.Path+" "+orDash(c.Old)+" "+orDash(c.New))
	}
	return texts
}

// TestDiffOfUntyped finds the keys of lists in custom resources, which have no tags.
func TestDiffOfUntyped(t *testing.T) {
	object := func(text string) *unstructured {
		value, err := Decode(json.RawMessage(text))
		if err != nil {
			t.Fatal(err)
		}
		return &unstructured{value.(map[string]any)}
	}
	before := object(`{"metadata":{"resourceVersion":"1","finalizers":["a","b"]},"spec":{"size":1,"parts":[{"name":"x","n":1},{"name":"y"}],"plain":[1,2]}}`)
	after := object(`{"metadata":{"resourceVersion":"2","finalizers":["b"]},"spec":{"size":"1","parts":[{"name":"y"},{"name":"x","n":2}],"plain":[1,3]}}`)
	want := []string{
		`metadata.finalizers[=a] "a" -`,
		`spec.parts[name=x].n 1 2`,
		`spec.parts[name=*] ["x","y"] ["y","x"]`,
		`spec.plain[1] 2 3`,
		`spec.size 1 "1"`,
	}
	if diff := cmp.Diff(want, changeTexts(Objects(before, after))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := changeTexts(Objects(before, "x")); len(got) != 1 {
		t.Errorf("two types: %v", got)
	}
}
