package external_test

import (
	"fmt"
	"time"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/controllers/external"
)

// A program is a controller as any other: scenariotest.Controller and command.Options take it. It starts when a run does.
func ExampleController() {
	var mine controllers.Custom = external.Controller(external.Options{
		Path: "bin/expose", Args: []string{"--resync=10m"}, Patience: time.Minute,
	})
	fmt.Println(mine != nil)
	// Output: true
}
