// Package golden compares what a test has made with a file that is kept: a golden file in testdata, or a page or a source
// file that is generated. Only tests import it.
//
// With the flag -rewrite, which datadriven defines for its scripts, a test writes the file instead. `make golden` runs all
// packages whose tests import this package or datadriven, and `make golden PKG=./docs` one of them. Command is that line for the
// package of the running test; each message and each generated page has it from there.
package golden

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/cockroachdb/datadriven" // defines -rewrite
	"github.com/google/go-cmp/cmp"
)

// IsRewriting reports whether golden files are to be written.
func IsRewriting() bool { return flag.Lookup("rewrite").Value.String() == "true" }

// command is computed before a test can change the working directory.
var command = commandFor(os.Getwd())

// Command is the line that writes the golden files of the package whose test runs.
func Command() string { return command }

// commandFor is the command for the package in dir. Its place is counted from the Makefile.
func commandFor(dir string, err error) string {
	for root := dir; err == nil; root = filepath.Dir(root) {
		if _, missing := os.Stat(filepath.Join(root, "Makefile")); missing == nil {
			relative, err := filepath.Rel(root, dir)
			if err != nil {
				break
			}
			return "make golden PKG=./" + filepath.ToSlash(relative)
		}
		if root == filepath.Dir(root) {
			break
		}
	}
	return "make golden"
}

// Page wants the text in the file, a page that is made from source, or writes it there. Below the heading of the page, a comment says
// what makes it.
func Page(t testing.TB, file, source, text string) {
	t.Helper()
	heading, rest, found := strings.Cut(text, "\n\n")
	if !found || !strings.HasPrefix(heading, "# ") {
		t.Fatalf("%s does not begin with a heading: %q", file, heading)
	}
	Compare(t, file, fmt.Sprintf("%s\n\n<!-- Made by %q from %s; do not edit. -->\n\n%s", heading, Command(), source, rest))
}

// Compare wants the text in the file, or writes it there.
func Compare(t testing.TB, file, text string) {
	t.Helper()
	if IsRewriting() {
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
		t.Fatalf("%v (%s writes it)", err, Command())
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(text, "\n")); diff != "" {
		t.Errorf("%s is out of date (-file +now); %s writes it:\n%s", file, Command(), diff)
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
