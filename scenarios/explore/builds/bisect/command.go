package bisect

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/explore/builds"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// Commands are the commands of this package.
func Commands(streams cli.Streams) []*cobra.Command {
	f := &flags{output: "text"}
	cmd := &cobra.Command{
		Use:   "bisect FILE --kubernetes FROM..TO",
		Short: "Find the version of Kubernetes since which a scenario fails or passes",
		Long: `Run a scenario with each version of Kubernetes in a range that is built, and tell since which version it fails or
passes. All patch versions that are built take part: kubestep-1.34.0 and kubestep-1.34.4 beside this program or on
PATH.

With --check, the result is that of one check of the scenario. With --until, a version passes if the CEL
condition becomes true in its run; see docs/reference/expressions.md.

The exit code is 0 when the scenario passes with all versions, 1 when it fails with one, and 2 when no version can
run it.`,
		Example: `  kubestep bisect stale-cache --kubernetes 1.34..1.36
  kubestep bisect my.yaml --kubernetes 1.34..1.36 --check enough-available
  kubestep bisect my.yaml --kubernetes 1.34..1.36 --until "requests('replicaset-controller').exists(r, r.code == 409)"`,
		Args: cli.OneScenario,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), streams, args[0]) },
	}
	cmd.Flags().StringVar(&f.kubernetes, builds.Flag, "", "`RANGE` of versions, both ends included, such as 1.34..1.36")
	cmd.Flags().StringVar(&f.check, "check", "", "judge by the check with this `NAME`")
	cmd.Flags().StringVar(&f.until, "until", "", "judge by whether this `CONDITION` becomes true")
	cmd.Flags().StringVarP(&f.output, "output", "o", f.output, "output `FORMAT`: text or json")
	return []*cobra.Command{cli.Bounded(streams, cmd)}
}

type flags struct{ kubernetes, check, until, output string }

// untilCheck is the name of the check that --until makes.
const untilCheck = "until"

func (f *flags) run(ctx context.Context, streams cli.Streams, file string) error {
	if err := cli.CheckOutput(f.output); err != nil {
		return err
	}
	if f.check != "" && f.until != "" {
		return cli.Usage("--check and --until exclude each other", "one of them")
	}
	low, high, err := builds.ParseRange(f.kubernetes)
	if err != nil {
		return err
	}
	scenario, err := runner.Open(file)
	if err != nil {
		return err
	}
	if f.check != "" && !slices.ContainsFunc(scenario.Spec.Checks, func(c format.Check) bool { return c.Name == f.check }) {
		return cli.Usage(fmt.Sprintf("%s has no check %s", file, f.check), "kubestep describe "+file)
	}
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	if f.until != "" {
		changed, err := f.conditionOnly(scenario)
		if err != nil {
			return err
		}
		defer os.Remove(changed)
		file, f.check = changed, untilCheck
	}
	report, err := f.bisect(ctx, scenario.Metadata.Name, file, low, high)
	if err != nil {
		return err
	}
	return f.print(streams, report)
}

// conditionOnly writes the scenario to a file, with the condition as its only check.
func (f *flags) conditionOnly(scenario *format.Scenario) (path string, err error) {
	own := *scenario
	own.Spec.Checks = []format.Check{{Name: untilCheck, Eventually: f.until}}
	if _, err := runner.Prepare(&own); err != nil {
		return "", cli.Usage("--until: "+err.Error(), "see "+format.Documentation+"reference/expressions.md")
	}
	text, err := own.Encode()
	if err != nil {
		return "", err
	}
	out, err := os.CreateTemp("", "kubestep-bisect-*.yaml")
	if err != nil {
		return "", err
	}
	_, err = out.Write(text)
	return out.Name(), errors.Join(err, out.Close())
}

// parallel is how many versions run at the same time.
const parallel = 2

// bisect runs the scenario with all builds of the range.
func (f *flags) bisect(ctx context.Context, name, file string, low, high builds.Version) (*Report, error) {
	inRange, err := builds.All(ctx)
	if err != nil {
		return nil, err
	}
	inRange = slices.DeleteFunc(inRange, func(b *builds.Build) bool { return !b.Version.Within(low, high) })
	report := &Report{Scenario: name, Check: f.check, Versions: make([]Verdict, len(inRange)), NotBuilt: missing(inRange, low, high)}
	var all sync.WaitGroup
	slots := make(chan bool, parallel)
	for i, build := range inRange {
		all.Go(func() {
			slots <- true
			report.Versions[i] = f.judge(ctx, build, file)
			<-slots
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		return nil, interrupt.Cause(ctx)
	}
	report.conclude()
	return report, nil
}

// judge runs the scenario with a version.
func (f *flags) judge(ctx context.Context, build *builds.Build, file string) Verdict {
	result, err := child.Run{Executable: build.Path, File: file}.Follow(ctx, func(*trace.Record) error { return nil })
	switch {
	case err != nil:
		return Verdict{build.Version.String(), runner.Fault, err.Error()}
	case result.Outcome == nil:
		return Verdict{build.Version.String(), runner.Fault, result.Halt.Message}
	}
	return verdict(build, result.Outcome, f.check)
}

// missing are the minor versions of a range without a build.
func missing(inRange []*builds.Build, low, high builds.Version) (texts []string) {
	for _, minor := range builds.Minors(low, high) {
		if !slices.ContainsFunc(inRange, func(b *builds.Build) bool { return b.Version.Is(minor) }) {
			texts = append(texts, minor.String())
		}
	}
	return texts
}

func (f *flags) print(streams cli.Streams, report *Report) error {
	if len(report.Versions) == report.count(runner.Fault) {
		problem := "no version of the range can run " + report.Scenario
		try := "another range"
		switch {
		case len(report.Versions) > 0:
			problem += ": " + report.Versions[0].Reason
		case len(report.NotBuilt) > 0:
			problem = "no version of the range is built: " + strings.Join(report.NotBuilt, ", ")
			try = howToBuild(report.NotBuilt)
		}
		return cli.Usage(problem, try)
	}
	if err := cli.PrintReport(streams, report, f.output, report.Print); err != nil {
		return err
	}
	if report.count(runner.Fail) > 0 {
		return cli.ErrChecksFailed
	}
	return nil
}
