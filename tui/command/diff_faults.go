package command

import (
	"context"
	"io"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/recording"
)

// diffWithoutFaults compares a scenario with itself, without what it makes go wrong.
func diffWithoutFaults(ctx context.Context, streams cli.Streams, name string, without *withoutFaults, output string) error {
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	file, seed, err := atSeed(name)
	if err != nil {
		return err
	}
	scenario, err := runner.Open(file)
	if err != nil {
		return err
	}
	if faults, steps := scenario.Perturbs(); faults+steps == 0 {
		return cli.Usage(name+": this scenario has no faults",
			"a scenario with spec.faults, or with a step such as fault, controller or node")
	}
	choice, err := without.choose(name, scenario)
	if err != nil {
		return err
	}
	side := func(name, without string) func(context.Context) (*recording.Recording, error) {
		return func(ctx context.Context) (*recording.Recording, error) {
			return recordRun(ctx, name, child.Run{File: file, Seed: seed, WithoutFaults: without})
		}
	}
	report, err := compareBoth(ctx, side(name+" without "+without.words(), without.value), side(name, ""), compare.Compare)
	if err != nil {
		return err
	}
	report.Final, report.Checks = report.Settled(), nil
	longer := report.OutLonger()
	if err := cli.PrintReport(streams, report, output, func(out io.Writer) {
		faults, steps := verb.CountFaults(scenario, choice)
		report.PrintPerturbed(out, faults, steps)
	}); err != nil {
		return err
	}
	if len(report.Final) > 0 || longer {
		return cli.ErrChecksFailed
	}
	return nil
}
