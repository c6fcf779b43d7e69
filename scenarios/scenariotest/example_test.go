package scenariotest_test

import (
	"testing"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/scenariotest"
)

// A test plays a scenario that comes with kubestep, with a controller of its own and another seed.
func Example() {
	var t *testing.T // that of the test
	playSitekeeper(t)
}

func playSitekeeper(t *testing.T) {
	result := scenariotest.Run(t, "sitekeeper", scenariotest.Seed(7),
		scenariotest.Controller("sitekeeper", controllers.Builtin["sitekeeper"]))
	t.Log(result.Outcome.Result, result.Outcome.TraceHash)
}
