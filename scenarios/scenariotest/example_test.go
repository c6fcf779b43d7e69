package scenariotest_test

import (
	"fmt"
	"testing"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/scenariotest"
)

// A test plays a scenario that comes with kubestep, with a controller of its own and another seed.
func Example() {
	t := new(testing.T) // in a test, its parameter
	result := scenariotest.Run(t, "sitekeeper", scenariotest.Seed(7),
		scenariotest.Controller("sitekeeper", controllers.Builtin["sitekeeper"]))
	for _, check := range result.Outcome.Checks {
		if !check.Invariant {
			fmt.Println(check.Name, check.Passed)
		}
	}
	fmt.Println(result.Outcome.Result, "after", result.Outcome.Virtual)
	// Output:
	// one-host true
	// few-writes true
	// pass after 2m0s
}
