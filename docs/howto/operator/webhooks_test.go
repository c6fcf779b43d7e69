package operator

import (
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/scenariotest"
	"github.com/kubestep/kubestep/scenarios/scenariotest/ctrltest"
)

// TestWebhooks plays a scenario in which the operator serves webhooks, and does not serve them for a while.
func TestWebhooks(t *testing.T) {
	hashes := map[string]bool{}
	for range 2 {
		result := scenariotest.Run(t, "testdata/webhooks.yaml", ctrltest.Operator("expose-operator", RunWithWebhooks))
		text := result.Text()
		for _, want := range []string{
			`create: allowed with the patch [{"op":"replace","path":"/metadata/annotations/example.com~1expose","value":"80"}]`,
			`update: denied: annotation example.com/expose: "many" is no port`,
			"no answer: dial tcp expose-operator.default.svc:443: connect: connection refused",
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
