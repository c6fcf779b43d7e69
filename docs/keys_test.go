package docs_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/tui"
)

const keysHead = `# The keys of kubestep open

<!-- Made by "go test ./docs -rewrite"; do not edit. -->

` + "`kubestep open` shows a run in the terminal. `?` lists the keys that do something at the moment; this page has all of them." + `

`

// TestKeysReferenceIsFresh compares docs/reference/keys.md with the keymap and the glyphs; -rewrite makes it anew.
func TestKeysReferenceIsFresh(t *testing.T) {
	out := bytes.NewBufferString(keysHead)
	if err := tui.WriteKeysReference(out); err != nil {
		t.Fatal(err)
	}
	const file = "reference/keys.md"
	if flag.Lookup("rewrite").Value.String() == "true" {
		if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(out.String(), string(have)); diff != "" {
		t.Errorf("%s is not what the keymap says (-want +have); go test ./docs -rewrite:\n%s", file, diff)
	}
}
