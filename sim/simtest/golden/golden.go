// Package golden compares what a test has made with a file that is kept: a golden file in testdata, or a page or a source
// file that is generated. Only tests import it.
//
// With the flag -rewrite, which datadriven defines for its scripts, a test writes the file instead. `make golden` runs all
// packages whose tests import this package or datadriven.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/cockroachdb/datadriven" // defines -rewrite
	"github.com/google/go-cmp/cmp"
)

// Rewriting reports whether golden files are to be written.
func Rewriting() bool { return flag.Lookup("rewrite").Value.String() == "true" }

// Compare wants the text in the file, or writes it there.
func Compare(t testing.TB, file, text string) {
	t.Helper()
	if Rewriting() {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (go test -rewrite writes it)", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(text, "\n")); diff != "" {
		t.Errorf("%s is out of date (-file +now); go test -rewrite writes it:\n%s", file, diff)
	}
}

// Table wants the rows in a table of a page, which begins with the line head and ends at an empty line, or writes them there.
func Table(t testing.TB, page, head string, rows []string) {
	t.Helper()
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(data), head+"\n")
	_, after, closed := strings.Cut(rest, "\n\n")
	if !found || !closed {
		t.Fatalf("%s has no table that begins with %q", page, head)
	}
	rule := strings.Repeat("|---", strings.Count(head, "|")-1) + "|"
	Compare(t, page, before+strings.Join(append([]string{head, rule}, rows...), "\n")+"\n\n"+after)
}

// Entries are the names in a directory, also those that begin with a dot.
func Entries(t testing.TB, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range list {
		names = append(names, entry.Name())
	}
	return names
}
