package tracefile

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestSame compares files. A difference can be in the last byte of a large file, and what is no trace is not the same as anything.
func TestSame(t *testing.T) {
	lines := linesOf(3000, false)
	changed := bytes.Clone(lines)
	changed[len(changed)-3] ^= 1
	folder := t.TempDir()
	file := func(name string, content []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a, missing := file("a.jsonl", lines), filepath.Join(folder, "missing.jsonl")
	for _, c := range []struct {
		name string
		b    string
		want bool
	}{
		{"itself", a, true},
		{"a copy", file("b.jsonl", lines), true},
		{"one byte", file("c.jsonl", changed), false},
		{"one record more", file("d.jsonl", linesOf(3001, false)), false},
		{"the beginning", file("e.jsonl", lines[:len(lines)/2]), false},
		{"an archive of it", file("f.kst", archiveOf(t, lines)), false},
		{"a file that is not there", missing, false},
		{"a folder", folder, false},
	} {
		if Same(a, c.b) != c.want || Same(c.b, a) != c.want {
			t.Errorf("%s: want %t", c.name, c.want)
		}
	}
	if text := file("g.txt", []byte("text")); Same(text, text) || Same(missing, missing) {
		t.Error("what is no trace is the same")
	}
}
