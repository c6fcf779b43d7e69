package command

import (
	"errors"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// checkSpaces wants the names of fault spaces.
func checkSpaces(names []string) error {
	_, err := space.Named(names)
	var unknown *space.UnknownError
	if errors.As(err, &unknown) {
		return cli.Usage("--faults: "+err.Error(), unknown.Try)
	}
	return err
}

// drawnFrom draws the faults of a seed from fault spaces.
func drawnFrom(plan *runner.Plan, names []string, seed int64) (space.Drawn, error) {
	spaces, err := space.Named(names)
	if err != nil || len(spaces) == 0 {
		return space.Drawn{}, err
	}
	profile, err := space.Look(func(options runner.RunOptions) (*runner.Outcome, error) {
		options.Controllers = cli.Controllers
		return plan.Run(options)
	})
	if err != nil {
		return space.Drawn{}, err
	}
	return space.Draw(spaces, profile, seed), nil
}
