package operator

import (
	"context"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/scenariotest"
)

// TestExpose plays a scenario with the operator in it, twice: the trace is the same.
func TestExpose(t *testing.T) {
	hashes := map[string]bool{}
	for range 2 {
		result := scenariotest.Run(t, "testdata/expose.yaml",
			scenariotest.Controller("expose-operator", func(ctx context.Context, clients controllers.Clients) error {
				config, err := clients.Config()
				if err != nil {
					return err
				}
				return Run(ctx, config)
			}))
		text := result.Text()
		for _, want := range []string{
			"expose-operator", "create    services/web", "error    ", "removed",
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
