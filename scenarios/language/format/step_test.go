package format_test

import (
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/format"
)

// TestStepIndex is the inverse of StepPath, and takes nothing else.
func TestStepIndex(t *testing.T) {
	for _, i := range []int{0, 7, 12} {
		if got := format.StepIndex(format.StepPath(i)); got != i {
			t.Errorf("%s: %d", format.StepPath(i), got)
		}
	}
	for _, path := range []string{"", "enough", "spec.steps[2].wait", "spec.steps[02]", "spec.steps[-1]", "not spec.steps[2]"} {
		if got := format.StepIndex(path); got != -1 {
			t.Errorf("%s: %d", path, got)
		}
	}
}
