package command

import (
	"context"
	"io"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/explore/builds"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/sim/recording"
)

// diffVersions compares a scenario in two versions of Kubernetes.
func diffVersions(ctx context.Context, streams cli.Streams, name string, pair []string, output string) error {
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	file, seed, err := atSeed(name)
	if err != nil {
		return err
	}
	a, b, err := builds.Pair(ctx, pair[0], pair[1])
	if err != nil {
		return err
	}
	side := func(build *builds.Build) func(context.Context) (*recording.Recording, error) {
		return func(ctx context.Context) (*recording.Recording, error) {
			run := child.Run{Executable: build.Path, File: file, Seed: seed}
			return recordRun(ctx, name+" with Kubernetes "+build.Version.String(), run)
		}
	}
	report, err := compareBoth(ctx, side(a), side(b), func(recA, recB *recording.Recording) *compare.Report {
		return compare.Versions(recA, recB, a.Kubernetes, b.Kubernetes)
	})
	if err != nil {
		return err
	}
	if err := cli.PrintReport(streams, report, output, func(out io.Writer) { report.PrintVersions(out) }); err != nil || report.Equal {
		return err
	}
	return cli.ErrChecksFailed
}
