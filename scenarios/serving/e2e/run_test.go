package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/scenarios/serving/e2e/world"
)

// TestSuite reads upstream's list, in which long names are folded, and chooses tests from it.
func TestSuite(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "test/conformance/testdata/conformance.yaml")
	const list = `- testname: One
  codename: '[sig-apps] Deployment should do something that is said in
    many words [Conformance]'
- codename: '[sig-node] Pods should run [Conformance]'
- codename: '[sig-apps] Job should end [Conformance]'
`
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(list), 0o644); err != nil {
		t.Fatal(err)
	}
	all, err := suite(kubernetes{folder: folder})
	if err != nil || len(all) != 3 || all[0] != "[sig-apps] Deployment should do something that is said in many words [Conformance]" {
		t.Fatalf("%q, %v", all, err)
	}
	for _, c := range []struct {
		only  string
		every int
		want  []string
	}{
		{"", 1, all}, {"", 2, []string{all[0], all[2]}}, {"sig-apps", 1, []string{all[0], all[2]}}, {"Pods", 2, nil},
	} {
		if diff := cmp.Diff(c.want, chosen(&options{only: regexp.MustCompile(c.only), every: c.every}, all)); diff != "" {
			t.Errorf("-run %q -every %d: %s", c.only, c.every, diff)
		}
	}
}

// TestResultIn finds the result among the lines of a log; a process that crashed has none.
func TestResultIn(t *testing.T) {
	log := "STEP: one\n{\"Name\":\"[sig-apps] Job\",\"State\":\"fail\",\"Message\":\"timed out\"}\nRan 1 of 2992 Specs\n"
	if got := resultIn([]byte(log)); got.Name != "[sig-apps] Job" || got.State != "fail" || got.Message != "timed out" {
		t.Errorf("%+v", got)
	}
	if got := resultIn([]byte("panic: lost\n")); got.Name != "" {
		t.Errorf("%+v", got)
	}
}

// TestVersionFlags are those with which upstream's build sets the version.
func TestVersionFlags(t *testing.T) {
	const want = "-X k8s.io/component-base/version.gitVersion=v1.37.2 -X k8s.io/component-base/version.gitMajor=1 " +
		"-X k8s.io/component-base/version.gitMinor=37"
	if got := versionFlags("v1.37.2"); got != want {
		t.Error(got)
	}
}

// TestCluster reads the scenario of the tests, and the options of their environment.
func TestCluster(t *testing.T) {
	if _, err := world.Scenario(); err != nil {
		t.Error(err)
	}
	t.Setenv("E2E_SEED", "7")
	t.Setenv("E2E_TRACE", filepath.Join(t.TempDir(), "trace.jsonl"))
	if o, err := world.FromEnvironment(); err != nil || o.Seed != 7 || len(o.Sinks) != 1 {
		t.Errorf("%+v, %v", o, err)
	}
	t.Setenv("E2E_SEED", "seven")
	if _, err := world.FromEnvironment(); err == nil {
		t.Error("a seed that is no number is read")
	}
}
