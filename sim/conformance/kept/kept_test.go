package kept_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kubestep/kubestep/sim/conformance/kept"
)

type result struct{ Name string }

// TestResume reads what a killed run has left, but for the half of a line at its end, and adds to it.
func TestResume(t *testing.T) {
	name := filepath.Join(t.TempDir(), "results.jsonl")
	if err := os.WriteFile(name, []byte("{\"Name\":\"one\"}\n{\"Name\":\"tw"), 0o644); err != nil {
		t.Fatal(err)
	}
	for round, want := range []int{1, 2} {
		file, before, err := kept.Open[result](name, true)
		if err != nil || len(before) != want || before[0].Name != "one" {
			t.Fatalf("round %d: %v, %v", round, before, err)
		}
		if err := file.Add(result{"two"}); err != nil {
			t.Fatal(err)
		}
		file.Close()
	}
	file, before, err := kept.Open[result](name, false)
	if err != nil || len(before) != 0 {
		t.Errorf("a new run begins with %v, %v", before, err)
	}
	file.Close()
}

// TestRun runs the tests without a result, keeps what they say, and leaves the others as they are.
func TestRun(t *testing.T) {
	name := filepath.Join(t.TempDir(), "results.jsonl")
	file, _, err := kept.Open[result](name, false)
	if err != nil {
		t.Fatal(err)
	}
	results := []*result{nil, {"earlier"}, nil}
	most := 0
	kept.Run(file, results, 2, func(i int) *result { return &result{string(rune('a' + i))} }, func(_ *result, done int) { most = done })
	file.Close()
	if results[0].Name != "a" || results[1].Name != "earlier" || results[2].Name != "c" || most != 3 {
		t.Errorf("%v, %v, %v; %d are done", results[0], results[1], results[2], most)
	}
	if _, before, err := kept.Open[result](name, true); err != nil || len(before) != 2 {
		t.Errorf("the file has %v, %v", before, err)
	}
}
