package command

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/language/notation"
)

// tryFutures is how explore makes futures.
const tryFutures = "kubestep explore FILE --futures 100 --at 5.15s"

// addFutures adds the flags of futures.
func (f *exploreFlags) addFutures(flags *pflag.FlagSet) {
	flags.Int64Var(&f.futures, "futures", 0, "`NUMBER` of seeds that decide only what happens after --at")
	flags.StringVar(&f.at, "at", "", "with --futures, the virtual `TIME` at which the futures begin, such as 5.15s")
	flags.Int64Var(&f.past, "seed", 0, "with --futures, the `SEED` of what happens before (default: the scenario's)")
}

// checkFutures finds mistakes in the flags of futures, and makes their number that of the seeds.
func (f *exploreFlags) checkFutures(flags *pflag.FlagSet) error {
	f.pastSet = flags.Changed("seed")
	switch {
	case f.futures == 0 && f.at != "":
		return cli.Usage("--at needs --futures", tryFutures)
	case f.futures == 0 && f.pastSet:
		return cli.Usage("--seed needs --futures: without it, explore runs many seeds",
			"kubestep explore FILE --from 1 --seeds 100, or "+tryFutures)
	case f.futures == 0:
		return nil
	case f.futures < 1:
		return cli.Usage(fmt.Sprintf("--futures %d: must be at least 1", f.futures), "--futures 100")
	case f.at == "":
		return cli.Usage("--futures needs --at, the virtual time at which they begin", tryFutures)
	case flags.Changed("seeds"):
		return cli.Usage("--seeds and --futures are both numbers of seeds", "one of them")
	case len(f.faults) > 0:
		return cli.Usage("--futures cannot be combined with --faults: the seed draws faults for a whole run",
			"the faults in the scenario, or --seeds instead of --futures")
	}
	f.seeds, f.alone = f.futures, true
	return nil
}

// pastOf is what the runs of a sweep share.
func (f *exploreFlags) pastOf(job child.Job) (child.Past, error) {
	if f.futures == 0 {
		return child.Past{}, nil
	}
	from, err := notation.ParseDuration(f.at)
	if err != nil || from.Duration <= 0 {
		return child.Past{}, cli.Usage(fmt.Sprintf("--at %q is not a virtual time after the start", f.at), "--at 5.15s")
	}
	past := child.Past{Seed: f.past, From: from.Duration}
	if f.Untrusted {
		// Only the process that runs the scenario reads it.
		if !f.pastSet {
			return past, cli.Usage("--untrusted --futures needs --seed, the seed of what happens before", "--seed 1")
		}
		return past, nil
	}
	scenario, _, err := read(job)
	if err != nil {
		return past, err
	}
	if !f.pastSet {
		past.Seed = scenario.Spec.Seed
	}
	last := scenario.Spec.Horizon.Duration
	if past.From > last {
		return past, cli.Usage(fmt.Sprintf("--at %s is after the end of the run, %s", f.at, notation.Text(last)), "--at 5.15s")
	}
	if futures := scenario.Spec.Futures; len(futures) > 0 && futures[len(futures)-1].From.Duration >= past.From {
		begins := notation.Text(futures[len(futures)-1].From.Duration)
		return past, cli.Usage(
			fmt.Sprintf("--at %s is not after the future of the scenario, which begins at %s", f.at, begins), "a later --at")
	}
	return past, nil
}
