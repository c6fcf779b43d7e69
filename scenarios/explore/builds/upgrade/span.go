package upgrade

import (
	"time"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/language/format"
)

// Span is when a scenario is cut in two, and how long the second part runs, in virtual time.
type Span struct {
	// At is nil for the end of the scenario.
	At  *time.Duration
	For time.Duration
}

// complete checks the span, and sets the time to the end of the scenario if there is none.
func (s *Span) complete(scenario *format.Scenario) error {
	if s.At == nil {
		end := scenario.Spec.Horizon.Duration
		s.At = &end
	}
	if *s.At <= 0 || s.For <= 0 {
		return cli.Usage("--at and --for must be longer than 0s", "--at 5m")
	}
	return nil
}
