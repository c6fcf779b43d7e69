package golden_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/sim/simtest/golden"
)

// recorder is a test that may fail.
type recorder struct {
	testing.TB
	failed  bool
	message string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.failed, r.message = true, fmt.Sprintf(format, args...)
}

func (r *recorder) Fatalf(format string, args ...any) { r.Errorf(format, args...) }

// TestCompare accepts the text of the file only.
func TestCompare(t *testing.T) {
	if golden.IsRewriting() {
		t.Skip("the file of this test is wrong on purpose")
	}
	for text, fails := range map[string]bool{"a\nb\n": false, "a\nb": true, "a\nc\n": true, "": true} {
		r := &recorder{TB: t}
		if golden.Compare(r, filepath.Join("testdata", "ab.txt"), text); r.failed != fails {
			t.Errorf("%q: failed is %v, want %v", text, r.failed, fails)
		}
	}
	if names := golden.Entries(t, "testdata"); !slices.Equal(names, []string{"ab.txt", "page.md"}) {
		t.Errorf("the names in testdata are %q", names)
	}
}

// TestCommand wants the line that works for the package whose test runs, whatever folder the test is in by then.
func TestCommand(t *testing.T) {
	const want = "make golden PKG=./sim/simtest/golden"
	t.Chdir(t.TempDir())
	if got := golden.Command(); got != want {
		t.Errorf("the command is %q, want %q", got, want)
	}
	for _, file := range []string{"none.md", "other.md"} {
		r := &recorder{TB: t}
		if golden.Compare(r, file, "a\n"); !strings.Contains(r.message, want) && !golden.IsRewriting() {
			t.Errorf("%q does not say %s", r.message, want)
		}
	}
}

// TestPage wants the comment below the heading.
func TestPage(t *testing.T) {
	r := &recorder{TB: t}
	if golden.Page(r, filepath.Join("testdata", "page.md"), "a table", "# Rows\n\nThese are the rows.\n"); r.failed {
		t.Error(r.message)
	}
}
