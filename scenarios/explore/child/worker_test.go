package child_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kubestep/kubestep/scenarios"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
)

// TestWorkerOfTheExactBuild makes several runs one after the other: each has the hash of a process of its own, even if
// its order is open in the stock build.
func TestWorkerOfTheExactBuild(t *testing.T) {
	if !exact.Enabled() {
		t.Skip("this is the stock build, where the order of two of these runs is open")
	}
	worker := &child.Worker{Env: []string{"CHILD_TEST=kubestep"}}
	defer worker.Close()
	for _, name := range []string{
		"lessons/create", "controllers/namespace", "controllers/all-controllers", "controllers/daemonset", "lessons/create",
	} {
		data, err := scenarios.Files.ReadFile(name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "scenario.yaml")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		alone, err := run(file).Follow(t.Context(), nothing)
		if err != nil {
			t.Fatal(err)
		}
		report, err := worker.Do(t.Context(), child.Job{File: file, Seed: alone.Outcome.Seed})
		if err != nil {
			t.Fatal(err)
		}
		if report.Hash != alone.Hash {
			t.Errorf("%s: hash %s, in a process of its own %s: %+v", name, report.Hash, alone.Hash, report.Halt)
		}
	}
}
