package command

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/sandbox"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/place"
	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/explore/sweep"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// addEvery adds the flags of --every.
func (f *exploreFlags) addEvery(flags *pflag.FlagSet) {
	flags.BoolVar(&f.every, "every", false, "run the scenario's seed once for each place where one fault can apply, instead of many seeds")
	flags.IntVar(&f.depth, "depth", 1, "with --every, the `NUMBER` of faults of a run: 2 also tries pairs of faults, after all places")
	flags.DurationVar(&f.budget, "budget", 0, "with --every or --exhaustive, start no run after this `DURATION` of processor time of all processes (default: no bound)")
}

// tryEvery is how explore runs every place.
const tryEvery = "kubestep explore FILE --every"

// checkEvery finds mistakes in the flags of --every.
func (f *exploreFlags) checkEvery(flags *pflag.FlagSet) error {
	switch {
	case !f.every && !f.exhaustive && flags.Changed("budget"):
		return cli.Usage("--budget needs --every or --exhaustive", tryEvery+" --budget 60s")
	case flags.Changed("budget") && f.budget <= 0:
		return cli.Usage(fmt.Sprintf("--budget %s: must be more than 0s", f.budget), "--budget 60s")
	case flags.Changed("depth") && !f.every:
		return cli.Usage("--depth needs --every", tryEvery+" --depth 2")
	case !f.every:
		return nil
	case f.depth != 1 && f.depth != 2:
		return cli.Usage(fmt.Sprintf("--depth %d: must be 1 or 2", f.depth), "--depth 2")
	case f.depth == 2 && flags.Changed("shard"):
		return cli.Usage("--depth 2 cannot be combined with --shard: pairs are found when all places have run", "one of them")
	}
	for _, other := range []struct{ name, try string }{
		{"seeds", "one of them: --every runs one seed"}, {"from", "--seed, the seed of all runs"},
		{"futures", "one of them"}, {"at", "one of them: --at needs --futures"},
		{"faults", "one of them: --every tries single faults, --faults draws several"},
		{"no-comparison", tryEvery},
	} {
		if flags.Changed(other.name) {
			return cli.Usage(fmt.Sprintf("--every cannot be combined with --%s", other.name), other.try)
		}
	}
	return nil
}

// placesOf asks a worker for the places of a scenario, and completes the header and the plan of the sweep.
func (f *exploreFlags) placesOf(job child.Job, header *sweep.Header, seeds *sweep.Seeds) ([]place.Place, error) {
	seed, err := f.seedOf(job.File, "--every")
	if err != nil {
		return nil, err
	}
	worker := f.worker(func(sandbox.Enforced) {})
	defer worker.Close()
	job.Places, job.EndEarly, job.Seed = true, true, seed
	report, err := ask(context.Background(), worker, job, runWithoutFaults)
	switch {
	case err != nil:
		return nil, err
	case report.Result != runner.Pass:
		return nil, cli.Usage(fmt.Sprintf("the run without faults fails: %s\nIt ends %s after the horizon, as those with faults do",
			failureOf(report), notation.Text(space.Rest)),
			fmt.Sprintf("kubestep run %s --seed %d%s first, or a check that holds at any later time", job.File, seed, f.ofBuild()))
	case len(report.Places) == 0:
		return nil, cli.Usage("no controller of "+job.File+" writes or receives anything: there is no place for a fault",
			"kubestep run "+job.File)
	}
	header.Every = sweep.Every{Seed: seed, Places: int64(len(report.Places))}
	seeds.From, seeds.Count = 1, header.Every.Places
	return report.Places, nil
}

// failureOf is what is wrong with a run.
func failureOf(report *child.Report) string {
	switch {
	case report.Stuck != "":
		return "STUCK " + report.Stuck
	case report.Hot != "":
		return "HOT " + report.Hot
	case len(report.Failures) == 0:
		return report.Result
	}
	return report.Failures[0].Name + ": " + report.Failures[0].Message
}

// placeFlags are the flags of a command that makes the run of one place, or of a pair.
type placeFlags struct {
	number placeValue
	// names are those of the rules of the faults.
	names []string
}

// placeValue is the value of --place.
type placeValue struct{ place.Number }

// Set implements pflag.Value.
func (v *placeValue) Set(text string) (err error) {
	number, ok := place.ParseNumber(text)
	if !ok {
		return fmt.Errorf("%q is not the number of a place, such as 31, or of a pair, such as 31,7", text)
	}
	v.Number = number
	return nil
}

// String implements pflag.Value.
func (v *placeValue) String() string {
	if v == nil || v.Number == 0 {
		return ""
	}
	return v.Number.String()
}

// Type implements pflag.Value.
func (*placeValue) Type() string { return "place" }

// isGiven reports whether a run has a fault at a place.
func (f *placeFlags) isGiven() bool { return f.number.Number > 0 }

// value is that of a flag which means these faults, and not those of the scenario.
func (f *placeFlags) value() string {
	if len(f.names) == 0 {
		return ""
	}
	return "=" + strings.Join(f.names, ",")
}

func (f *placeFlags) add(flags *pflag.FlagSet) {
	flags.Var(&f.number, "place", "with the fault at the place of this `NUMBER`, or the faults of a pair, as kubestep explore --every counts them")
}

// check finds mistakes.
func (f *placeFlags) check(flags *pflag.FlagSet, faults, futures []string) error {
	switch {
	case !flags.Changed("place"):
		return nil
	case len(faults) > 0:
		return cli.Usage("--place cannot be combined with --faults", "one of them")
	case len(futures) > 0:
		return cli.Usage("--place cannot be combined with --future", "one of them")
	}
	return nil
}

// drawn makes the run without faults of a seed, and returns the fault at the place; none without --place. For a pair, it makes the run with
// the first fault, too.
func (f *placeFlags) drawn(scenario *format.Scenario, plan *runner.Plan, seed int64) (space.Drawn, error) {
	if !f.isGiven() {
		return space.Drawn{}, nil
	}
	maker := child.Maker{Scenario: scenario, Plan: plan, Run: func(plan *runner.Plan, options runner.RunOptions) (*runner.Outcome, error) {
		options.Controllers = cli.Controllers
		return plan.Run(options)
	}}
	job := child.Job{Seed: seed, EndEarly: true}
	number, second := f.number.Parts()
	first, err := f.placeAt(&maker, job, number, "the run")
	if err != nil {
		return space.Drawn{}, err
	}
	fault := place.FaultAt(number, first)
	if second > 0 {
		job.After = first
		next, err := f.placeAt(&maker, job, second, fmt.Sprintf("the run with place %d", number))
		if err != nil {
			return space.Drawn{}, err
		}
		fault = fault.With(second, next)
	}
	f.names = fault.Names()
	return space.Drawn{Rules: fault.Rules, AtPlaces: true}, nil
}

// added is a scenario with the fault at the place for a seed.
func (f *placeFlags) added(scenario *format.Scenario, seed int64) (*format.Scenario, error) {
	plan, err := runner.Prepare(scenario, slices.Sorted(maps.Keys(cli.Controllers))...)
	if err != nil {
		return nil, err
	}
	drawn, err := f.drawn(scenario, plan, seed)
	if err != nil {
		return nil, err
	}
	text, err := drawn.Text(scenario)
	if err != nil {
		return nil, err
	}
	return format.Parse(scenario.Path(), text, verb.All)
}

// placeAt is the place with a number of the run that a job asks for. run names the run.
func (f *placeFlags) placeAt(maker *child.Maker, job child.Job, number int, run string) (*place.Place, error) {
	report, err := maker.Places(job)
	switch err := unanswered(report, err, runWithoutFaults); {
	case err != nil:
		return nil, err
	case number > len(report.Places):
		places := trace.Count(len(report.Places), "place")
		message := fmt.Sprintf("--place %s: %s of seed %d has %s", f.number.String(), run, job.Seed, places)
		if job.After == nil {
			return nil, cli.Usage(message, fmt.Sprintf("--place 1 to --place %d", len(report.Places)))
		}
		return nil, cli.Usage(message+" where a second fault can meet the first", "kubestep explore FILE --every --depth 2")
	}
	return &report.Places[number-1], nil
}
