package snapshot_test

import (
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/snapshot"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// TestCustomResources begins in the state of a dump with a definition, an object of its kind that is being deleted, and what that
// owns: all of it is restored, and the owner is found.
func TestCustomResources(t *testing.T) {
	scenario, report, err := snapshot.Load("testdata/custom.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if want := "1 ConfigMap, 1 CustomResourceDefinition, 1 Farm"; report.Restored != want || len(report.Warnings) > 0 {
		t.Errorf("restored %s, warnings %q; want %s", report.Restored, report.Warnings, want)
	}
	outcome, err := runner.Run(scenario, runner.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(outcome.Unmet) != 1 || !strings.Contains(outcome.Unmet[0].Object, "farms.example.com") {
		t.Errorf("%s, not as wanted: %v; want the Farm, which waits for its finalizer", outcome.Result, outcome.Unmet)
	}
}
