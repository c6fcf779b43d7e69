package docs_test

import (
	"testing"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/sim/conformance/score"
	"github.com/kubestep/kubestep/sim/simtest/golden"
)

// TestConformanceReferenceIsFresh compares docs/reference/conformance.md with the recorded results; -rewrite makes it
// again. It fails while a failure has no reason.
func TestConformanceReferenceIsFresh(t *testing.T) {
	expected, err := score.Expected()
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range score.Names() {
		for _, test := range expected.Of(pkg) {
			if expected[test] == score.Unknown {
				t.Errorf("%s fails, and sim/conformance/score/expected.txt does not say why", test)
			}
		}
	}
	golden.Page(t, "reference/conformance.md", "sim/conformance/score/expected.txt", string(expected.Page(controllers.KubernetesVersion)))
}
