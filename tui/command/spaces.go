package command

import (
	"cmp"
	"errors"

	"github.com/spf13/pflag"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// addedFaults are the flags of a command that adds faults to those of a scenario.
type addedFaults struct {
	draw drawFlags
	// place is where one more fault applies.
	place placeFlags
}

// add adds the flags to a command. purpose ends the sentence about the faults of spaces.
func (f *addedFaults) add(flags *pflag.FlagSet, purpose string) {
	f.draw.add(flags, "draw faults from these fault `SPACES`, as kubestep explore does"+purpose)
	f.place.add(flags)
}

// check finds mistakes.
func (f *addedFaults) check(flags *pflag.FlagSet, futures []string) error {
	return cmp.Or(f.place.check(flags, f.draw.spaces, futures), f.draw.check())
}

// drawn are the faults for a seed: those that it draws, or the one at the place. file is what the scenario was read from.
func (f *addedFaults) drawn(file string, scenario *format.Scenario, plan *runner.Plan, seed int64) (space.Drawn, error) {
	if f.place.isGiven() {
		return f.place.drawn(scenario, plan, seed)
	}
	return f.draw.drawn(file, plan, seed)
}

// args are the flags that give a command the same faults.
func (f *addedFaults) args() (args []string) {
	args = f.draw.args()
	if f.place.isGiven() {
		args = append(args, "--place", f.place.number.String())
	}
	return args
}

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
