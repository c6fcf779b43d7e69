package main

import (
	"regexp"
	"testing"
	"time"

	"github.com/kubestep/kubestep/sim/conformance/score"
)

// TestControllers runs upstream's tests of Deployments and ReplicaSets. The program for all tests takes too long to build
// and to run here; make conformance runs it.
func TestControllers(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program and runs it")
	}
	t.Chdir("../..")
	o := &options{
		folder: "bin/_conformance-test", goCommand: "go", only: regexp.MustCompile(""), parallel: 2, timeout: 5 * time.Minute,
		packages: []string{"deployment", "replicaset"},
	}
	if err := build(o); err != nil {
		t.Fatal(err)
	}
	tests, err := testsOf(o)
	if err != nil {
		t.Fatal(err)
	}
	results, err := runAll(o, tests)
	if err != nil {
		t.Fatal(err)
	}
	if len(results) < 30 {
		t.Errorf("%d tests: the packages had 31", len(results))
	}
	for _, r := range results {
		if r.State != score.Pass {
			t.Errorf("%s: %s\n%s", r.Test, r.State, r.Log)
		}
	}
}
