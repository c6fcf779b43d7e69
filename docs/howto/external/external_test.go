// Package external_test runs a controller that is built in a module of its own.
package external_test

import (
	"os"
	"testing"

	"github.com/kubestep/kubestep/controllers/external"
	"github.com/kubestep/kubestep/scenarios/scenariotest"
)

// expose is the controller, built again if its source has changed.
func expose(t *testing.T) scenariotest.Option {
	t.Helper()
	if os.Getenv("EXTERNAL") == "" {
		t.Skip("gets modules that kubestep does not need, and compiles a client-go: make external")
	}
	path, err := external.Build("expose", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return scenariotest.Controller("expose", external.Program(path))
}

func TestExpose(t *testing.T) {
	result := scenariotest.Run(t, "expose.yaml", expose(t))
	t.Log("\n" + result.Text())
}

func TestExposeUnderEveryFault(t *testing.T) {
	scenariotest.Perturb(t, "expose.yaml", expose(t))
}
