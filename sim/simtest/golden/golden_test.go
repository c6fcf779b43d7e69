package golden_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/kubestep/kubestep/sim/simtest/golden"
)

// recorder is a test that may fail.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(string, ...any) { r.failed = true }

func (r *recorder) Fatalf(string, ...any) { r.failed = true }

// TestCompare accepts the text of the file only.
func TestCompare(t *testing.T) {
	if golden.Rewriting() {
		t.Skip("the file of this test is wrong on purpose")
	}
	for text, fails := range map[string]bool{"a\nb\n": false, "a\nb": true, "a\nc\n": true, "": true} {
		r := &recorder{TB: t}
		if golden.Compare(r, filepath.Join("testdata", "ab.txt"), text); r.failed != fails {
			t.Errorf("%q: failed is %v, want %v", text, r.failed, fails)
		}
	}
	if names := golden.Entries(t, "testdata"); !slices.Equal(names, []string{"ab.txt"}) {
		t.Errorf("the names in testdata are %q", names)
	}
}
