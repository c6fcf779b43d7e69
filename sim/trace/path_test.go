package trace

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPath(t *testing.T) {
	for _, c := range []struct {
		path  string
		steps []step
	}{
		{"", nil},
		{"spec.replicas", []step{{name: "spec"}, {name: "replicas"}}},
		{`metadata.labels["a.b/c"].x`, []step{{name: "metadata"}, {name: "labels"}, {name: "a.b/c"}, {name: "x"}}},
		{`["0"][""]["-x"]`, []step{{name: "0"}, {name: ""}, {name: "-x"}}},
		{"spec.ports[12].port", []step{{name: "spec"}, {name: "ports"}, {kind: stepIndex, index: 12}, {name: "port"}}},
		{"a[type=Ready].b", []step{{name: "a"}, {kind: stepElement, name: "type", value: "Ready"}, {name: "b"}}},
		{`a[name="x]=\"y"]`, []step{{name: "a"}, {kind: stepElement, name: "name", value: `x]="y`}}},
		{`a["x=y"][0]`, []step{{name: "a"}, {name: "x=y"}, {kind: stepIndex}}},
		{"a[=b.c/d]", []step{{name: "a"}, {kind: stepElement, value: "b.c/d"}}},
		{`a[="*"][=*][k=*]`, []step{{name: "a"}, {kind: stepElement, value: "*"}, {kind: stepOrder}, {kind: stepOrder, name: "k"}}},
	} {
		if got := printPath(c.steps); got != c.path {
			t.Errorf("printPath: %s, want %s", got, c.path)
		}
		got, err := parsePath(c.path)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
		}
		if diff := cmp.Diff(c.steps, got, cmp.AllowUnexported(step{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.path, diff)
		}
	}
	for _, path := range []string{".", "a.", "a..b", "a[", "a[]", "a[x]", "a[-1]", "a[k=]", "a[\"b]", "a[\"b\"", "a[0]b", `a[k="v"`} {
		if steps, err := parsePath(path); err == nil {
			t.Errorf("%s is no error, but %v", path, steps)
		}
	}
}

// FuzzPath expects that a path is read as it was written, whatever the names in it.
func FuzzPath(f *testing.F) {
	f.Add("app", "name", "c", 0)
	f.Add("a.b/c", "", "*", 3)
	f.Add("]", "type", "]\"=\\", 1)
	f.Fuzz(func(t *testing.T, field, key, value string, index int) {
		if !isPlain(key, "") {
			key = "" // The names of a type's fields are plain words.
		}
		if index < 0 {
			index = 0
		}
		steps := []step{
			{name: field}, {kind: stepElement, name: key, value: value}, {kind: stepIndex, index: index},
			{name: field}, {kind: stepOrder, name: key},
		}
		path := printPath(steps)
		got, err := parsePath(path)
		if err != nil {
			t.Fatalf("%q: %v", path, err)
		}
		if diff := cmp.Diff(steps, got, cmp.AllowUnexported(step{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", path, diff)
		}
	})
}
