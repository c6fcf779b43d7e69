package command

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/pflag"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/explore/future"
	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/tracefile"
)

// recordedFlags are the flags of a command that reads a recording.
type recordedFlags struct {
	seed    int64
	seedSet bool
	futures []string
	addedFaults
	choices choiceFlags
}

// add adds the flags to a command.
func (f *recordedFlags) add(flags *pflag.FlagSet) {
	flags.Int64Var(&f.seed, "seed", 0, "run with this `SEED` instead of the scenario's")
	flags.StringArrayVar(&f.futures, future.Flag, nil, future.Usage)
	f.addedFaults.add(flags, ": "+space.Names())
	f.choices.add(flags)
}

// check finds mistakes.
func (f *recordedFlags) check(flags *pflag.FlagSet) error {
	f.seedSet = flags.Changed("seed")
	return cmp.Or(f.addedFaults.check(flags, f.futures), f.choices.check(flags, f.futures))
}

// given returns the name of a flag that is given and asks for another run than the scenario's; empty if there is none.
func (f *recordedFlags) given() string {
	switch {
	case f.seedSet:
		return "seed"
	case len(f.futures) > 0:
		return future.Flag
	case len(f.draw.spaces) > 0:
		return "faults"
	case f.place.isGiven():
		return "place"
	case f.choices.order != nil:
		return "choices"
	}
	return ""
}

// recorded plays a scenario or reads a trace.
func recorded(streams cli.Streams, file, command string, flags recordedFlags) (*recording.Recording, error) {
	if tracefile.IsMeant(file) {
		if name := flags.given(); name != "" {
			return nil, cli.Usage("--"+name+" needs a scenario; "+file+" is a trace of one run", "kubestep "+command+" "+file)
		}
		rec, err := readTrace(streams, file)
		if err != nil {
			return nil, err
		}
		rec.Name = file
		if rec.Made == nil || rec.Made.Seed == nil {
			rec.Seed = -1
		}
		return rec, nil
	}
	scenario, err := runner.Open(file)
	if err != nil {
		return nil, err
	}
	return play(streams, scenario, flags)
}

// play runs a scenario. Its checks do not matter here, but what keeps it from being played does.
func play(streams cli.Streams, scenario *format.Scenario, flags recordedFlags) (*recording.Recording, error) {
	scenario, err := future.Add(scenario, flags.futures)
	if err != nil {
		return nil, err
	}
	seed := scenario.Spec.Seed
	options := runner.RunOptions{Progress: &engine.Progress{}, Controllers: cli.Controllers, Order: flags.choices.order}
	if flags.seedSet {
		seed, options.Seed = flags.seed, &flags.seed
	}
	builder := recording.NewBuilder()
	options.Sinks = []trace.Sink{builder.Sink}
	// cli.Bounded has the limits of the command; here, only a simulation that freezes is noticed.
	defer limits.Limits{}.Guard(options.Progress, func(halt trace.Halt) { interrupt.Exit(cli.PrintHalt(streams, halt)) })()
	limits.Limits{Memory: limits.DefaultMemoryBytes}.TuneGarbageCollector()
	plan, err := runner.Prepare(scenario, slices.Sorted(maps.Keys(cli.Controllers))...)
	if err != nil {
		return nil, err
	}
	drawn, err := flags.drawn(scenario.Path(), scenario, plan, seed)
	if err != nil {
		return nil, err
	}
	horizon := scenario.Spec.Horizon.Duration
	if len(drawn.Rules) > 0 {
		plan, horizon = drawn.Plan(plan), horizon+space.Rest
	}
	defer output.ShowProgress(streams.Err, options.Progress, horizon)()
	outcome, err := plan.Run(options)
	if err = cmp.Or(flags.choices.explained(err), builder.Err()); err != nil {
		return nil, err
	}
	origin := recording.Origin{Name: scenario.Metadata.Name, Seed: seed, Ran: true, End: duration(outcome.VirtualSeconds)}
	return builder.Done(origin, outcome.TraceHash), nil
}

// readTrace makes a recording of a trace file, of which everything must be right.
func readTrace(streams cli.Streams, path string) (*recording.Recording, error) {
	rec, err := cli.ReadTrace(streams, path, nil)
	if err != nil {
		return nil, err
	}
	switch {
	case rec.CutBy != nil:
		err = fmt.Errorf("%s: %w", path, rec.CutBy)
	case rec.Cut != "":
		err = errors.New(path + ": " + rec.Cut)
	}
	if err != nil {
		return nil, cli.TraceError(err)
	}
	cli.WarnVersion(streams, path, rec.Made)
	return rec, nil
}
