package format_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/simtest/golden"
)

const referenceDir = "../../../docs/reference"

// TestJSONSchemaIsFresh and TestReferenceIsFresh keep the two reference files as the types say. Run
// the tests with -rewrite to write them.
func TestJSONSchemaIsFresh(t *testing.T) {
	text, err := format.JSONSchema(verb.All)
	if err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, filepath.Join(referenceDir, "scenario.schema.json"), string(text))
	again, _ := format.JSONSchema(verb.All)
	if !bytes.Equal(text, again) {
		t.Error("two calls of JSONSchema differ")
	}
}

func TestReferenceIsFresh(t *testing.T) {
	golden.Page(t, filepath.Join(referenceDir, "scenario-format.md"), "the Go types", format.Reference(verb.All))
}

// TestEveryFieldHasADoc lets no field into the format without a sentence, and no required field
// without an example, which errors show.
func TestEveryFieldHasADoc(t *testing.T) {
	for _, problem := range format.Undocumented(verb.All) {
		t.Error(problem)
	}
}

// TestExamplesLoad: the example of a verb is about that verb.
func TestExamplesLoad(t *testing.T) {
	for _, row := range verb.All {
		s, err := format.Parse(row.Of.Keyword()+".yaml", []byte(exampleHead+indented(row.Example)), verb.All)
		if err != nil {
			t.Fatal(err)
		}
		for i, step := range s.Spec.Steps {
			if step.Verb.Keyword() != row.Of.Keyword() {
				t.Errorf("step %d of the example of %s is a %s", i, row.Of.Keyword(), step.Verb.Keyword())
			}
		}
	}
}

const exampleHead = "apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nmetadata: {name: example}\n" +
	"spec:\n  title: Example\n  kubernetes: {kubelet: kubelet}\n  steps:\n"
