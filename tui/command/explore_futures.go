package command

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// tryFutures is how explore makes futures.
const tryFutures = "kubestep explore FILE --futures 100 --at 5.15s"

// addFutures adds the flags of futures.
func (f *exploreFlags) addFutures(flags *pflag.FlagSet) {
	flags.Int64Var(&f.futures, "futures", 0, "`NUMBER` of seeds that decide only what happens after --at")
	flags.StringVar(&f.at, "at", "", "with --futures, where they begin: `PLACE`, a time (5.15s), a record (412) or a CEL condition")
	flags.Int64Var(&f.past, "seed", 0, "with --futures, the `SEED` of what happens before; with --every or --laws, that of all runs (default: the scenario's)")
}

// checkFutures finds mistakes in the flags of futures, and makes their number that of the seeds.
func (f *exploreFlags) checkFutures(flags *pflag.FlagSet) error {
	f.pastSet = flags.Changed("seed")
	switch {
	case f.futures == 0 && f.at != "":
		return cli.Usage("--at needs --futures", tryFutures)
	case f.futures == 0 && f.pastSet && !f.every && !f.laws && !f.exhaustive:
		return cli.Usage("--seed needs --futures, --every, --laws or --exhaustive: without them, explore runs many seeds",
			"kubestep explore FILE --from 1 --seeds 100, or "+tryFutures)
	case f.futures == 0:
		return nil
	case f.futures < 1:
		return cli.Usage(fmt.Sprintf("--futures %d: must be at least 1", f.futures), "--futures 100")
	case f.at == "":
		return cli.Usage("--futures needs --at, the virtual time, the record or the CEL condition at which they begin", tryFutures)
	case flags.Changed("seeds"):
		return cli.Usage("--seeds and --futures are both numbers of seeds", "one of them")
	case len(f.faults) > 0:
		return cli.Usage("--futures cannot be combined with --faults: the seed draws faults for a whole run",
			"the faults in the scenario, or --seeds instead of --futures")
	}
	if f.history {
		return cli.Usage("--futures cannot be combined with --history", "--seeds instead of --futures")
	}
	f.seeds, f.alone = f.futures, true
	return nil
}

// pastOf is what the runs of a sweep share. The zero value is nothing.
func (f *exploreFlags) pastOf(file string) (past child.Past, err error) {
	if f.futures == 0 {
		return past, nil
	}
	past.Until = f.at
	past.Seed, err = f.seedOf(file, "--futures")
	return past, err
}

// seedOf is the seed of all runs, which a flag asks for, or that of their past.
func (f *exploreFlags) seedOf(file, flag string) (int64, error) {
	switch {
	case f.pastSet:
		return f.past, nil
	case f.Untrusted:
		// Only the process that runs the scenario reads it.
		return 0, cli.Usage("--untrusted "+flag+" needs --seed, because only the sandbox reads the scenario", "--seed 1")
	}
	scenario, err := runner.Open(file)
	if err != nil {
		return 0, err
	}
	return scenario.Spec.Seed, nil
}
