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

// TestKeysReferenceIsFresh compares docs/reference/keys.md with the keymap and the glyphs; -rewrite makes it again.
func TestKeysReferenceIsFresh(t *testing.T) {
	out := bytes.NewBufferString(keysHead)
	if err := tui.WriteKeysReference(out); err != nil {
		t.Fatal(err)
	}
	fresh(t, "reference/keys.md", "the keymap says", out.Bytes())
}

// rewrites reports whether the pages that are made from the program are to be written again.
func rewrites() bool { return flag.Lookup("rewrite").Value.String() == "true" }

// fresh compares a page with what it is made from; -rewrite writes it.
func fresh(t *testing.T, file, source string, want []byte) {
	t.Helper()
	if rewrites() {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(have)); diff != "" {
		t.Errorf("%s is not what %s (-want +have); go test ./docs -rewrite:\n%s", file, source, diff)
	}
}
