package upgrade

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/language/format"
)

// span is when a scenario is cut in two, and how long the second part runs.
type span struct{ at, length time.Duration }

// addTo adds the flags --at and --for to a command.
func (s *span) addTo(cmd *cobra.Command, at, length string) {
	cmd.Flags().DurationVar(&s.at, "at", 0, at+" (default the end of the scenario)")
	cmd.Flags().DurationVar(&s.length, "for", 10*time.Minute, length)
}

// complete checks the flags, and sets the time to the end of the scenario if there is none.
func (s *span) complete(cmd *cobra.Command, scenario *format.Scenario) error {
	if !cmd.Flags().Changed("at") {
		s.at = scenario.Spec.Horizon.Duration
	}
	if s.at <= 0 || s.length <= 0 {
		return cli.Usage("--at and --for must be longer than 0s", "--at 5m")
	}
	return nil
}
