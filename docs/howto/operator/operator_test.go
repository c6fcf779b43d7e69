package operator

import (
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/scenariotest"
	"github.com/kubestep/kubestep/scenarios/scenariotest/ctrltest"
)

// TestExpose plays a scenario with the operator in it, twice: the trace is the same.
func TestExpose(t *testing.T) {
	hashes := map[string]bool{}
	for range 2 {
		result := scenariotest.Run(t, "testdata/expose.yaml",
			ctrltest.Operator("expose-operator", Run))
		text := result.Text()
		for _, want := range []string{
			"expose-operator", "create    services/web", "error    ", "removed",
			"sync      default/web                           2 writes        because deployments/web ADDED",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("the trace has no %q:\n%s", want, text)
			}
		}
		hashes[result.Outcome.TraceHash] = true
		t.Log("\n"+text, result.Outcome.TraceHash)
	}
	if len(hashes) != 1 {
		t.Errorf("%d hashes from one seed", len(hashes))
	}
}

// TestExposeUnderEveryFault crashes the operator after each of its writes, loses each answer, lets it restart with old
// states, and so on: it ends with the same Service each time.
func TestExposeUnderEveryFault(t *testing.T) {
	scenariotest.Perturb(t, "testdata/expose.yaml", ctrltest.Operator("expose-operator", Run))
}
