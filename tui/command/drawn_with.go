package command

import (
	"context"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/builds"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// drawing draws the faults of seeds from the run of one version of Kubernetes, for the runs of others.
type drawing struct {
	mu     sync.Mutex
	build  *builds.Build
	worker *child.Worker
	job    child.Job
}

func newDrawing(build *builds.Build, file string, names []string) *drawing {
	return &drawing{
		build: build, worker: &child.Worker{Executable: build.Path}, job: child.Job{File: file, Spaces: names, Draws: true},
	}
}

func (d *drawing) close() { d.worker.Close() }

// rules are the faults of a seed.
func (d *drawing) rules(ctx context.Context, seed int64) ([]format.FaultRule, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.job.Seed = seed
	report, err := ask(ctx, d.worker, d.job, runToDrawFrom)
	if err != nil {
		return nil, err
	}
	return report.Drawn, nil
}

// by is the version that draws for a build; empty if the build draws for itself.
func (d *drawing) by(build *builds.Build) string {
	if d == nil || d.build.Path == build.Path {
		return ""
	}
	return d.build.Version.String()
}

// drawFlags are the flags of a command that draws the faults of a seed.
type drawFlags struct {
	spaces []string
	// with is the version of Kubernetes whose run they are drawn from; empty means that of this program.
	with string
}

func (f *drawFlags) add(flags *pflag.FlagSet, usage string) {
	flags.StringSliceVar(&f.spaces, "faults", nil, usage)
	flags.StringVar(&f.with, "drawn-with", "", "with --faults, draw from the run of the build for this `VERSION` of Kubernetes, as kubestep explore --kubernetes does")
}

// check finds mistakes.
func (f *drawFlags) check() error {
	if f.with != "" && len(f.spaces) == 0 {
		return cli.Usage("--drawn-with needs --faults", "--faults "+space.All()[0].Name+" --drawn-with "+f.with)
	}
	return checkSpaces(f.spaces)
}

// args are the flags as arguments.
func (f *drawFlags) args() (args []string) {
	if len(f.spaces) > 0 {
		args = append(args, "--faults", strings.Join(f.spaces, ","))
	}
	if f.with != "" {
		args = append(args, "--drawn-with", f.with)
	}
	return args
}

// drawn are the faults of a seed.
func (f *drawFlags) drawn(file string, plan *runner.Plan, seed int64) (space.Drawn, error) {
	if f.with == "" {
		return drawnFrom(plan, f.spaces, seed)
	}
	ctx := context.Background()
	build, err := builds.Find(ctx, f.with)
	if err != nil {
		return space.Drawn{}, err
	}
	draw := newDrawing(build, file, f.spaces)
	defer draw.close()
	rules, err := draw.rules(ctx, seed)
	return space.Drawn{Rules: rules}, withVersion(build, err)
}
