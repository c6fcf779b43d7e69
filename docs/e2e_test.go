package docs_test

import (
	"slices"
	"testing"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/serving/e2e/outcome"
	"github.com/kubestep/kubestep/sim/simtest/golden"
)

// TestE2EReferenceIsFresh compares docs/reference/e2e.md with the recorded results; -rewrite makes it again. It fails while a failure has
// no reason.
func TestE2EReferenceIsFresh(t *testing.T) {
	expected, err := outcome.Expected()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range expected {
		known := slices.ContainsFunc(outcome.Reasons, func(r outcome.Reason) bool { return r.Name == test.Outcome })
		if test.Outcome != outcome.Pass && test.Outcome != outcome.Skip && !known {
			t.Errorf("%s fails, and scenarios/serving/e2e/outcome/expected.txt does not say why", test.Name)
		}
	}
	golden.Page(t, "reference/e2e.md", "scenarios/serving/e2e/outcome/expected.txt", expected.Page(controllers.KubernetesVersion))
}
