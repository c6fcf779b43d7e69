package diff

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPath(t *testing.T) {
	for _, c := range []struct {
		path  string
		steps []Step
	}{
		{"", nil},
		{"spec.replicas", []Step{{Name: "spec"}, {Name: "replicas"}}},
		{`metadata.labels["a.b/c"].x`, []Step{{Name: "metadata"}, {Name: "labels"}, {Name: "a.b/c"}, {Name: "x"}}},
		{`["0"][""]["-x"]`, []Step{{Name: "0"}, {Name: ""}, {Name: "-x"}}},
		{"spec.ports[12].port", []Step{{Name: "spec"}, {Name: "ports"}, {Kind: Index, Index: 12}, {Name: "port"}}},
		{"a[type=Ready].b", []Step{{Name: "a"}, {Kind: Element, Name: "type", Value: "Ready"}, {Name: "b"}}},
		{`a[name="x]=\"y"]`, []Step{{Name: "a"}, {Kind: Element, Name: "name", Value: `x]="y`}}},
		{`a["x=y"][0]`, []Step{{Name: "a"}, {Name: "x=y"}, {Kind: Index}}},
		{"a[=b.c/d]", []Step{{Name: "a"}, {Kind: Element, Value: "b.c/d"}}},
		{`a[="*"][=*][k=*]`, []Step{{Name: "a"}, {Kind: Element, Value: "*"}, {Kind: Order}, {Kind: Order, Name: "k"}}},
	} {
		if got := PrintPath(c.steps); got != c.path {
			t.Errorf("PrintPath: %s, want %s", got, c.path)
		}
		got, err := ParsePath(c.path)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
		}
		if diff := cmp.Diff(c.steps, got, cmp.AllowUnexported(Step{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.path, diff)
		}
	}
	for _, path := range []string{".", "a.", "a..b", "a[", "a[]", "a[x]", "a[-1]", "a[k=]", "a[\"b]", "a[\"b\"", "a[0]b", `a[k="v"`} {
		if steps, err := ParsePath(path); err == nil {
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
		steps := []Step{
			{Name: field}, {Kind: Element, Name: key, Value: value}, {Kind: Index, Index: index},
			{Name: field}, {Kind: Order, Name: key},
		}
		path := PrintPath(steps)
		got, err := ParsePath(path)
		if err != nil {
			t.Fatalf("%q: %v", path, err)
		}
		if diff := cmp.Diff(steps, got, cmp.AllowUnexported(Step{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", path, diff)
		}
	})
}

// TestAt finds the part of a value at a path.
func TestAt(t *testing.T) {
	value := map[string]any{
		"labels":     map[string]any{"a/b": "x"},
		"conditions": []any{map[string]any{"type": "Ready", "status": "True"}},
		"names":      []any{"one", "two"},
	}
	for path, want := range map[string]any{
		`labels["a/b"]`: "x", `conditions[type=Ready].status`: "True", `conditions[0].type`: "Ready", `names[=two]`: "two",
		`labels.c`: nil, `conditions[type=Other]`: nil, `names[2]`: nil, `names.one`: nil, `labels[0]`: nil, `names[=*]`: nil,
	} {
		steps, err := ParsePath(path)
		if err != nil {
			t.Fatal(err)
		}
		got, found := At(value, steps)
		if got != want || found != (want != nil) {
			t.Errorf("%s: %v, %v", path, got, found)
		}
	}
}
