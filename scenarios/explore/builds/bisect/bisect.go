package bisect

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/explore/builds"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// Options are which versions are compared, and by what.
type Options struct {
	// Low and High are the range of versions, both ends included.
	Low, High builds.Version
	// Check is the name of the check that decides, and Until a CEL condition that does so instead; without both, all checks decide.
	Check, Until string
	// Output is text or json.
	Output string
}

// untilCheck is the name of the check that --until makes.
const untilCheck = "until"

// Bisect runs a scenario with each version of the range that is built, and prints the report. It returns cli.ErrChecksFailed if the
// scenario fails with one, and a *cli.UsageError if no version can run it, or if it has no such check.
func Bisect(ctx context.Context, streams cli.Streams, file string, o Options) error {
	scenario, err := runner.Open(file)
	if err != nil {
		return err
	}
	if o.Check != "" && !slices.ContainsFunc(scenario.Spec.Checks, func(c format.Check) bool { return c.Name == o.Check }) {
		return cli.Usage(fmt.Sprintf("%s has no check %s", file, o.Check), "kubestep describe "+file)
	}
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	if o.Until != "" {
		changed, err := o.conditionOnly(scenario)
		if err != nil {
			return err
		}
		defer os.Remove(changed)
		file, o.Check = changed, untilCheck
	}
	report, err := o.bisect(ctx, scenario.Metadata.Name, file)
	if err != nil {
		return err
	}
	return o.print(streams, report)
}

// conditionOnly writes the scenario to a file, with the condition as its only check.
func (o *Options) conditionOnly(scenario *format.Scenario) (path string, err error) {
	own := *scenario
	own.Spec.Checks = []format.Check{{Name: untilCheck, Eventually: o.Until}}
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
func (o *Options) bisect(ctx context.Context, name, file string) (*Report, error) {
	inRange, err := builds.All(ctx)
	if err != nil {
		return nil, err
	}
	inRange = slices.DeleteFunc(inRange, func(b *builds.Build) bool { return !b.Version.IsWithin(o.Low, o.High) })
	report := &Report{Scenario: name, Check: o.Check, Versions: make([]Verdict, len(inRange)), NotBuilt: missing(inRange, o.Low, o.High)}
	var all sync.WaitGroup
	slots := make(chan bool, parallel)
	for i, build := range inRange {
		all.Go(func() {
			slots <- true
			report.Versions[i] = o.judge(ctx, build, file)
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
func (o *Options) judge(ctx context.Context, build *builds.Build, file string) Verdict {
	result, err := child.Run{Executable: build.Path, File: file}.Follow(ctx, func(*trace.Record) error { return nil })
	switch {
	case err != nil:
		return Verdict{build.Version.String(), runner.Fault, err.Error()}
	case result.Outcome == nil:
		return Verdict{build.Version.String(), runner.Fault, result.Halt.Message}
	}
	return verdict(build, result.Outcome, o.Check)
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

func (o *Options) print(streams cli.Streams, report *Report) error {
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
	if err := cli.PrintReport(streams, report, o.Output, report.Print); err != nil {
		return err
	}
	if report.count(runner.Fail) > 0 {
		return cli.ErrChecksFailed
	}
	return nil
}
