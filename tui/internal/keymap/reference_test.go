package keymap_test

import (
	"bytes"
	"testing"

	"github.com/kubestep/kubestep/sim/simtest/golden"
	"github.com/kubestep/kubestep/tui/internal/keymap"
)

const keysHead = `# The keys of kubestep open

` + "`kubestep open` shows a run in the terminal. `?` lists the keys that do something at the moment; this page has all of them." + `

`

// TestKeysReferenceIsFresh compares docs/reference/keys.md with the keymap and the glyphs; -rewrite makes it again.
func TestKeysReferenceIsFresh(t *testing.T) {
	out := bytes.NewBufferString(keysHead)
	if err := keymap.WriteReference(out); err != nil {
		t.Fatal(err)
	}
	golden.Page(t, "../../../docs/reference/keys.md", "tui/internal/keymap", out.String())
}
