package external_test

import (
	"testing"
	"time"

	"github.com/kubestep/kubestep/controllers/external"
	"github.com/kubestep/kubestep/scenarios/scenariotest"
)

// A program is a controller as any other: scenariotest.Controller and command.Options take it. It starts when a run does.
func ExampleController() {
	var t *testing.T // that of the test
	expose := external.Controller(external.Options{Path: "bin/expose", Args: []string{"--resync=10m"}, Patience: time.Minute})
	scenariotest.Run(t, "testdata/expose.yaml", scenariotest.Controller("expose", expose))
}
