package main

import (
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/kubestep/kubestep/sim/conformance/score"
	"github.com/kubestep/kubestep/sim/conformance/upstream"
)

// TestControllers runs upstream's tests of Deployments, ReplicaSets, Jobs and volumes, but for those that are recorded not
// to pass. The program for all tests takes too long to build and to run here; make conformance runs it.
func TestControllers(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program and runs it")
	}
	t.Chdir("../..")
	o := &options{
		folder: "bin/_conformance-test", goCommand: "go", only: regexp.MustCompile(""), parallel: 2, timeout: 5 * time.Minute,
		packages: []string{"deployment", "replicaset", "job", "volume"},
	}
	if err := build(o); err != nil {
		t.Fatal(err)
	}
	tests, err := testsOf(o)
	if err != nil {
		t.Fatal(err)
	}
	expected, err := readExpected()
	if err != nil {
		t.Fatal(err)
	}
	tests = slices.DeleteFunc(tests, func(test score.Test) bool { return expected[test] != score.Pass })
	results, err := runAll(o, tests)
	if err != nil {
		t.Fatal(err)
	}
	if len(results) < 84 {
		t.Errorf("%d tests: the packages have 84, which pass", len(results))
	}
	for _, r := range results {
		if r.State != score.Pass {
			t.Errorf("%s: %s\n%s", r.Test, r.State, r.Log)
		}
	}
}

// TestAllTestsOfUpstream finds each of upstream's integration tests among those that run and those that are left out with a reason.
func TestAllTestsOfUpstream(t *testing.T) {
	sources, err := sourcesOf(&options{goCommand: "go"})
	if err != nil {
		t.Fatal(err)
	}
	counts, err := upstream.Counts(sources)
	if err != nil {
		t.Fatal(err)
	}
	expected, err := score.Expected()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]int{}
	for _, name := range score.Names() {
		known[name] = len(expected.Of(name))
	}
	for _, left := range score.Left {
		for name, n := range left.Packages {
			if known[name] != 0 {
				t.Errorf("%s runs, and is left out", name)
			}
			known[name] = n
		}
	}
	for name, n := range counts {
		if known[name] != n {
			t.Errorf("%s has %d tests, and sim/conformance/score knows %d", name, n, known[name])
		}
		delete(known, name)
	}
	for name := range known {
		t.Errorf("upstream has no tests in %s", name)
	}
}
