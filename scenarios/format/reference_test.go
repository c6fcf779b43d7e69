package format_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/kubestep/kubestep/scenarios/format"
	"github.com/kubestep/kubestep/scenarios/verb"
)

const referenceDir = "../../docs/reference"

// TestJSONSchemaIsFresh and TestReferenceIsFresh keep the two reference files as the types say. Run
// the tests with -rewrite to write them.
func TestJSONSchemaIsFresh(t *testing.T) {
	text, err := format.JSONSchema(verb.All)
	if err != nil {
		t.Fatal(err)
	}
	compareFile(t, filepath.Join(referenceDir, "scenario.schema.json"), text)
	again, _ := format.JSONSchema(verb.All)
	if !bytes.Equal(text, again) {
		t.Error("two calls of JSONSchema differ")
	}
}

func TestReferenceIsFresh(t *testing.T) {
	compareFile(t, filepath.Join(referenceDir, "scenario-format.md"), []byte(format.Reference(verb.All)))
}

// rewriting is the flag that datadriven defines.
func rewriting() bool { return flag.Lookup("rewrite").Value.String() == "true" }

func compareFile(t *testing.T, path string, want []byte) {
	t.Helper()
	if rewriting() {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the types say; run go test ./scenarios/format -rewrite", path)
	}
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
	"spec:\n  title: Example\n  steps:\n"
