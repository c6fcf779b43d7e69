package mutant_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/kubestep/kubestep/scenarios/explore/mutant"
	"github.com/kubestep/kubestep/scenarios/language/annotation"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
)

// control is the status of scenarios of the gallery that show what works.
const control = "control"

// filesOf are the scenarios that run with a mutant. Left out are those that expect an invariant to be broken, and those of the gallery that
// show a bug.
func filesOf(t *testing.T, m *mutant.Mutant) []string {
	t.Helper()
	var files []string
	for _, pattern := range m.Scenarios() {
		found, err := filepath.Glob(filepath.Join(root, pattern+".yaml"))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: no scenario is %s, %v", m.Name, pattern, err)
		}
		for _, file := range found {
			scenario := load(t, file)
			status := scenario.Metadata.Annotations[annotation.Status]
			broken := len(scenario.Spec.Invariants.Expect)+len(scenario.Spec.Invariants.Skip) > 0
			if !broken && (status == "" || status == control) && !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	return files
}

func load(t *testing.T, file string) *format.Scenario {
	t.Helper()
	scenario, err := format.Load(file, verb.All)
	if err != nil {
		t.Fatal(err)
	}
	return scenario
}
