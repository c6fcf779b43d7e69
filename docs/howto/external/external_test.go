// Package external_test runs controllers that are built in modules of their own.
package external_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kubestep/kubestep/controllers/external"
	"github.com/kubestep/kubestep/scenarios/scenariotest"
)

// program builds a controller. It does little when the source has not changed.
func program(t *testing.T, name string, args ...string) scenariotest.Option {
	t.Helper()
	if os.Getenv("EXTERNAL") == "" {
		t.Skip("gets modules that kubestep does not need, and compiles them: make external")
	}
	path, err := external.Build(name, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return scenariotest.Controller(name, external.Program(path, args...))
}

func TestExpose(t *testing.T) {
	result := scenariotest.Run(t, "expose.yaml", program(t, "expose"))
	t.Log("\n" + result.Text())
}

func TestExposeUnderEveryFault(t *testing.T) {
	scenariotest.Perturb(t, "expose.yaml", program(t, "expose"))
}

func TestDescheduler(t *testing.T) {
	policy, err := filepath.Abs("descheduler/policy.yaml")
	if err != nil {
		t.Fatal(err)
	}
	result := scenariotest.Run(t, "descheduler.yaml", program(t, "descheduler", policy, "1m"))
	t.Log("\n" + result.Text())
}
