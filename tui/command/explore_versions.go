package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/explore/builds"
	"github.com/kubestep/kubestep/scenarios/explore/builds/verdicts"
	"github.com/kubestep/kubestep/scenarios/explore/sweep"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// checkVersions finds flags that do not go together with several versions of Kubernetes.
func (f *exploreFlags) checkVersions(flags *pflag.FlagSet) error {
	if len(f.kubernetes) < 2 {
		return nil
	}
	for _, other := range []struct{ name, try string }{
		{"first", "all seeds: what one version does alone is no difference"},
		{"shard", "one sweep, or --from and --seeds for a part of the seeds"},
		{"untrusted", "one version at a time"},
		{"exhaustive", "one version at a time: kubestep explore FILE --exhaustive --kubernetes VERSION"},
		{"laws", "one version at a time: kubestep explore FILE --laws --kubernetes VERSION"},
	} {
		if flags.Changed(other.name) {
			return cli.Usage(fmt.Sprintf("--%s cannot be combined with several versions of Kubernetes", other.name), other.try)
		}
	}
	if _, err := strconv.ParseInt(f.at, 10, 64); err == nil {
		return cli.Usage(fmt.Sprintf("--at %s: the records of two versions are not the same", f.at), "a time (5.15s) or a CEL condition")
	}
	return nil
}

// ofBuild is the flag for commands about the build of one version; empty for this program.
func (f *exploreFlags) ofBuild() string {
	if f.build == nil {
		return ""
	}
	return " --" + builds.Flag + " " + f.build.Version.String()
}

// exploreVersions makes the sweep with the build of each version, one after the other, and compares the verdicts.
func exploreVersions(ctx context.Context, streams cli.Streams, file string, seeds sweep.Seeds, flags *exploreFlags) error {
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	if _, err := runner.Open(file); err != nil {
		return err
	}
	all, err := builds.Each(ctx, flags.kubernetes)
	if err != nil {
		return err
	}
	var draw *drawing
	if len(flags.faults) > 0 {
		draw = newDrawing(all[0], file, flags.faults)
		defer draw.close()
	}
	elapsed := output.Stopwatch()
	var sides []verdicts.Side
	for _, build := range all {
		own := *flags
		own.build = build
		if own.out != "" {
			own.out = filepath.Join(flags.out, build.Version.String())
		}
		side, err := own.side(ctx, streams, file, seeds, draw)
		switch {
		case ctx.Err() != nil:
			return interruptedVersions(ctx, streams, flags)
		case err != nil:
			return withVersion(build, err)
		}
		if first := sides; len(first) > 0 && first[0].Results.Header.Hash != side.Results.Header.Hash {
			return cli.Usage(file+" changed during the sweep", "run the sweep again with another --out")
		}
		sides = append(sides, *side)
	}
	report := verdicts.Compare(sides)
	report.WallSeconds = elapsed().Seconds()
	if err := cli.PrintReport(streams, report, flags.output, report.Text); err != nil {
		return err
	}
	if report.Differs() {
		return cli.ErrChecksFailed
	}
	return nil
}

// side makes the sweep with the build of the flags.
func (f *exploreFlags) side(ctx context.Context, streams cli.Streams, file string, seeds sweep.Seeds, draw *drawing,
) (*verdicts.Side, error) {
	s, err := f.begin(streams, file, seeds, draw)
	if err != nil {
		return nil, err
	}
	defer s.store.Close()
	if err := s.run(ctx, streams, f.build.Version.String()+": "); err != nil {
		var wrong *sweep.WrongError
		if errors.As(err, &wrong) {
			return nil, cli.Usage(wrong.Message, wrong.Try)
		}
		return nil, err
	}
	return &verdicts.Side{Version: f.build.Version.String(), Results: s.store.Results(), Places: s.Places}, nil
}

// withVersion says with which version a scenario cannot be played.
func withVersion(build *builds.Build, err error) error {
	var usage *cli.UsageError
	if errors.As(err, &usage) {
		return cli.Usage("with Kubernetes "+build.Version.String()+": "+usage.Message, usage.Try)
	}
	return err
}

// interruptedVersions says how the sweeps can continue.
func interruptedVersions(ctx context.Context, streams cli.Streams, flags *exploreFlags) error {
	if flags.out == "" {
		cli.PrintError(streams.Stderr(),
			"interrupted: nothing is compared, and no results were kept", "--out PATH to keep the result of each seed")
	} else {
		cli.PrintError(streams.Stderr(),
			"interrupted: nothing is compared; the results so far are in "+flags.out, "the same command again to resume")
	}
	return interrupt.Cause(ctx)
}

// versionList is the value of a flag that takes one version of Kubernetes, or several.
type versionList []string

// String implements pflag.Value.
func (v *versionList) String() string { return strings.Join(*v, ",") }

// Set implements pflag.Value.
func (v *versionList) Set(text string) error {
	*v = append(*v, strings.Split(text, ",")...)
	return nil
}

// Type implements pflag.Value.
func (v *versionList) Type() string { return "strings" }
