package docs_test

import (
	"testing"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/sim/conformance/answers"
	"github.com/kubestep/kubestep/sim/simtest/golden"
)

// TestAnswersReferenceIsFresh compares docs/reference/answers.md with the recorded answers of a kube-apiserver of the version that is
// compiled in, and with the differences that are known; -rewrite makes it again.
func TestAnswersReferenceIsFresh(t *testing.T) {
	recording, err := answers.Recorded()
	if err != nil {
		t.Fatal(err)
	}
	if recording.Version != controllers.KubernetesVersion {
		t.Errorf("the answers are those of %s: want %s. Try: make answers KUBECONFIG_OF=FILE", recording.Version, controllers.KubernetesVersion)
	}
	for _, row := range answers.Rows() {
		if _, ok := recording.Answers[row.Name()]; !ok {
			t.Errorf("%s: no answer is recorded. Try: make answers KUBECONFIG_OF=FILE", row.Name())
		}
	}
	if n := len(recording.Answers); n != len(answers.Rows()) || n < 1000 {
		t.Errorf("%d answers are recorded, of %d rows; want all, and at least 1000", n, len(answers.Rows()))
	}
	golden.Page(t, "reference/answers.md", "sim/conformance/answers/testdata/recording.txt", answers.Page(recording))
}
