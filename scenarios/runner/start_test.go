package runner

import (
	"errors"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/cli/limits"
)

// TestStartHasABudget ends the check of a scenario that is too much work, at the same event on every machine.
func TestStartHasABudget(t *testing.T) {
	defer func(was int64) { startEventsMax = was }(startEventsMax)
	startEventsMax = 100
	scenario, err := Open("create")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := Prepare(scenario)
	if err != nil {
		t.Fatal(err)
	}
	_, err = plan.Start(RunOptions{})
	var much *limits.WorkError
	if !errors.As(err, &much) || !strings.Contains(much.Message, "more than 100 events") || much.Try == "" {
		t.Errorf("%v, want an error about 100 events", err)
	}
}
