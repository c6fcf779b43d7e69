package edit

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	edits, err := Parse("edits.txt", `# Two edits.

file: runtime/a.go
why: one: and only
proof: bubble/one
-anchor
-
+
+	text
file: b.go
-- a
`)
	if err != nil {
		t.Fatal(err)
	}
	want := []Edit{
		{File: "runtime/a.go", Why: "one: and only", Proof: "bubble/one", Anchor: "anchor\n", Text: "\n\ttext"},
		{File: "b.go", Anchor: "- a"},
	}
	if diff := cmp.Diff(want, edits); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestLinesThatAreNotOfAnEdit(t *testing.T) {
	for text, problem := range map[string]string{
		"# comment\nwhy: early\n":         "x.txt:2: the first edit begins with file: PATH",
		"file: a.go\n\nreason: unknown\n": "x.txt:3: \"reason: unknown\" is not a line of an edit\nTry: file:, why:, proof:, -, + or #",
		"file: a.go\n text\n":             "x.txt:2: \" text\" is not a line of an edit\nTry: file:, why:, proof:, -, + or #",
	} {
		if _, err := Parse("x.txt", text); err == nil || err.Error() != problem {
			t.Errorf("%q: %v, want %s", text, err, problem)
		}
	}
}
