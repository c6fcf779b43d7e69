package upgrade

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/explore/builds"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
)

// Options are which versions are compared, and when.
type Options struct {
	// From is the version that makes the state, and To the one that finds it.
	From, To string
	// Span is when the upgrade is, and how long the new version runs.
	Span
	// Seed is nil for that of the scenario.
	Seed *int64
	// Output is text or json.
	Output string
	// TraceOut is the file for the trace of the new version; "" is none.
	TraceOut string
	// Force replaces a file that is not a trace.
	Force bool
}

// Upgrade lets one version of Kubernetes start on the state of another one, and prints the report. It returns cli.ErrChecksFailed if
// Pods roll that the old version leaves alone, a *builds.Error if a version is not built, and a *cli.UsageError for a wrong option, or
// for a scenario that one of the versions cannot run.
func Upgrade(ctx context.Context, streams cli.Streams, file string, o Options) error {
	scenario, err := runner.Open(file)
	if err != nil {
		return err
	}
	if err := o.complete(scenario); err != nil {
		return err
	}
	if err := output.Check(o.TraceOut, o.rights()); err != nil {
		return err
	}
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	from, to, err := builds.Pair(ctx, o.From, o.To)
	if err != nil {
		return err
	}
	report := &Report{Scenario: scenario.Metadata.Name, From: from.Version.String(), To: to.Version.String(), At: *o.At, For: o.For}
	if err := o.upgrade(ctx, file, from, to, report); err != nil {
		return cmp.Or(interrupted(ctx), usage(err))
	}
	err = cli.PrintReport(streams, report, o.Output, report.Print)
	if err == nil && report.Rolls {
		return cli.ErrChecksFailed
	}
	return err
}

// rights are those of the trace, whose archive has the state with its Secrets.
func (o *Options) rights() output.Rights {
	rights := output.Traces(o.Force)
	rights.Private = filepath.Ext(o.TraceOut) == archive.Suffix
	return rights
}

// upgrade makes the state and lets both versions continue with it.
func (o *Options) upgrade(ctx context.Context, file string, from, to *builds.Build, report *Report) error {
	dir, err := os.MkdirTemp("", "kubestep-upgrade-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	state := filepath.Join(dir, "later.yaml")
	args := []string{"snapshot", "--at", o.At.String(), "--for", o.For.String(), "--out", state}
	if o.Seed != nil {
		args = append(args, "--seed", strconv.FormatInt(*o.Seed, 10))
	}
	if err := start(ctx, from.Path, append(args, "--", file)...); err != nil {
		return with(from, state, err)
	}
	written := ""
	if o.TraceOut != "" {
		written = filepath.Join(dir, "trace"+filepath.Ext(o.TraceOut))
	}
	var after, before *recording.Recording
	var errs [2]error
	var all sync.WaitGroup
	all.Go(func() { after, errs[0] = record(ctx, to, state, written) })
	if from.Version != to.Version {
		all.Go(func() { before, errs[1] = record(ctx, from, state, "") })
	}
	all.Wait()
	if err := cmp.Or(errs[0], errs[1]); err != nil {
		return err
	}
	report.compareHalves(after, before)
	if o.TraceOut == "" {
		return nil
	}
	trace, err := os.ReadFile(written)
	if err != nil {
		return err
	}
	return output.WriteFile(o.TraceOut, trace, o.rights())
}

// record runs the state with a version; traceOut, which may be empty, is where its trace is written to. A run that ends early, such as
// at a step that this version refuses, compares nothing.
func record(ctx context.Context, build *builds.Build, state, traceOut string) (*recording.Recording, error) {
	run := child.Run{Executable: build.Path, File: state, TraceOut: traceOut}
	rec, err := run.Record(ctx, recording.Origin{Name: build.Version.String()}, nil)
	switch {
	case err != nil:
		return nil, with(build, state, err)
	case rec.Halted != "":
		return nil, fmt.Errorf("the run with Kubernetes %s broke down: %s", build.Version, rec.Cut)
	case rec.Error != "":
		return nil, cli.Usage(
			fmt.Sprintf("the run with Kubernetes %s ended early: %s", build.Version, problem(rec)),
			"kubestep snapshot --out later.yaml, and edit its steps",
		)
	}
	return rec, nil
}

// problem is why a run ended early, without its place in the state: that file is deleted, so its name and line tell nothing.
func problem(rec *recording.Recording) string {
	if rec.Problem == "" {
		return rec.Error
	}
	return (&source.Error{Path: rec.Field, Message: rec.Problem}).Error()
}

// placeless is what another process has printed as its error, without its place in the state.
func placeless(text, state string) string {
	wrong := source.Read(text)
	if wrong.File == state {
		wrong.File = ""
	}
	return wrong.Error()
}

// with says with which version another process failed.
func with(build *builds.Build, state string, err error) error {
	var wrong *child.Error
	if !errors.As(err, &wrong) {
		return err
	}
	text := fmt.Sprintf("with Kubernetes %s: %s", build.Version, placeless(wrong.Message, state))
	return &child.Error{Message: text, Try: wrong.Try, Code: wrong.Code}
}

// start runs another program to its end. A check that fails is no error.
func start(ctx context.Context, path string, args ...string) error {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	cmd.WaitDelay = time.Second
	return child.Finish(cmd, cli.ExitFailed)
}

// usage is the error of another process, as this one reports it.
func usage(err error) error {
	var wrong *child.Error
	if errors.As(err, &wrong) && wrong.Code == cli.ExitUsage {
		return cli.Usage(wrong.Message, wrong.Try)
	}
	return err
}

// interrupted is the end by a signal, if one came.
func interrupted(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return interrupt.Cause(ctx)
}
