package liveness_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/kubestep/kubestep/scenarios/verdict/liveness"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestSelections says which objects of a script choose nothing.
func TestSelections(t *testing.T) {
	found := map[string]bool{}
	datadriven.RunTest(t, "testdata/selections/selections.txt", func(t *testing.T, d *datadriven.TestData) string {
		w := &world{objects: decode(t, d.Input)}
		var out strings.Builder
		for _, selection := range liveness.Selections() {
			for _, object := range w.List(selection.Resource, "") {
				accessor, err := meta.Accessor(object)
				if err != nil {
					t.Fatal(err)
				}
				o := trace.Object{Resource: selection.Resource.String(), Namespace: accessor.GetNamespace(), Name: accessor.GetName()}
				if text, reference := liveness.Unselected(w, o); reference == selection.Reference {
					found[selection.Sentence] = true
					fmt.Fprintf(&out, "%s: %s\n", trace.ObjectName(o), text)
				}
			}
		}
		if out.Len() == 0 {
			return "each chooses something\n"
		}
		return out.String()
	})
	for _, selection := range liveness.Selections() {
		if !found[selection.Sentence] {
			t.Errorf("no script has an object that chooses nothing: %s", selection.Sentence)
		}
	}
}

const selectionsHead = `
## Selections

An object whose selector matches nothing has what it wants, and its controller has nothing to do, so no goal and no relation finds it.
` + "`kubestep why`" + ` says it in a note, unless a workload has a template with labels that match: it may have no Pods yet.

| objects | what they mostly choose |
|---|---|
`

// writeSelections writes the section about selections.
func writeSelections(out *strings.Builder) {
	out.WriteString(selectionsHead)
	for _, s := range liveness.Selections() {
		fmt.Fprintf(out, "| %s | %s [(documentation)](%s) |\n", s.Resource, s.Sentence, s.Reference)
	}
}
