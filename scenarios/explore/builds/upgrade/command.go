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
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/explore/builds"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
)

// flags are those of the command.
type flags struct {
	from, to, output, traceOut string
	span
	seed           int64
	seedSet, force bool
}

func newUpgrade(streams cli.Streams) *cobra.Command {
	f := &flags{output: "text"}
	cmd := &cobra.Command{
		Use:   "upgrade FILE --from VERSION --to VERSION",
		Short: "Open the state of one version of Kubernetes in another one, and show what rolls",
		Long: `Run a scenario with one version of Kubernetes until a virtual time, then let the controllers of another version start
on what is stored, as after an upgrade of the control plane, and show what they do: which Pods are deleted,
restarted or created, which objects the controllers change, and how many requests they send.

The nodes and their Pods keep running. The old version continues with the same state, too, so that the report can
tell the upgrade from a mere restart of the control plane. Steps of the scenario that have not happened by then
happen later. Its faults and checks are left out.

Both versions must be built: make build KUBERNETES=1.35. The exit code is 0 when the new version deletes, restarts and
creates no Pod that the old one leaves alone, 1 when it does, and 2 when a version is not built or the scenario
is invalid.`,
		Example: `  kubestep upgrade statefulset --from 1.35 --to 1.36
  kubestep upgrade my.yaml --from 1.34 --to 1.35 --at 5m --trace-out upgraded.kst && kubestep open upgraded.kst`,
		Args: cli.OneScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.seedSet = cmd.Flags().Changed("seed")
			return f.run(cmd, streams, args[0])
		},
	}
	cmd.Flags().StringVar(&f.from, "from", "", "`VERSION` of Kubernetes that makes the state")
	cmd.Flags().StringVar(&f.to, "to", "", "`VERSION` of Kubernetes that finds it")
	f.addTo(cmd, "virtual `TIME` of the upgrade", "`DURATION` that the new version runs")
	cmd.Flags().Int64Var(&f.seed, "seed", 0, "run with this `SEED` instead of the scenario's")
	cmd.Flags().StringVarP(&f.output, "output", "o", f.output, "output `FORMAT`: text or json")
	cmd.Flags().StringVar(&f.traceOut, "trace-out", "", "also write the trace of the new version to the file `PATH`, as kubestep run does")
	cmd.Flags().BoolVar(&f.force, "force", false, "with --trace-out, replace a file that is not a trace")
	return cmd
}

func (f *flags) run(cmd *cobra.Command, streams cli.Streams, file string) error {
	if f.from == "" || f.to == "" {
		return cli.Usage("upgrade needs --from and --to", "--from 1.35 --to 1.36")
	}
	if err := cli.CheckOutput(f.output); err != nil {
		return err
	}
	scenario, err := runner.Open(file)
	if err != nil {
		return err
	}
	if err := f.complete(cmd, scenario); err != nil {
		return err
	}
	if err := output.Check(f.traceOut, f.rights()); err != nil {
		return err
	}
	ctx, stop := interrupt.Context(cmd.Context())
	defer stop()
	from, to, err := builds.Pair(ctx, f.from, f.to)
	if err != nil {
		return err
	}
	report := &Report{Scenario: scenario.Metadata.Name, From: from.Version.String(), To: to.Version.String(), At: f.at, For: f.length}
	if err := f.upgrade(ctx, file, from, to, report); err != nil {
		return cmp.Or(interrupted(ctx), usage(err))
	}
	err = cli.PrintReport(streams, report, f.output, report.Print)
	if err == nil && report.Rolls {
		return cli.ErrChecksFailed
	}
	return err
}

// rights are those of the trace, whose archive has the state with its Secrets.
func (f *flags) rights() output.Rights {
	rights := output.Traces(f.force)
	rights.Private = filepath.Ext(f.traceOut) == archive.Suffix
	return rights
}

// upgrade makes the state and lets both versions continue with it.
func (f *flags) upgrade(ctx context.Context, file string, from, to *builds.Build, report *Report) error {
	dir, err := os.MkdirTemp("", "kubestep-upgrade-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	state := filepath.Join(dir, "later.yaml")
	args := []string{"snapshot", "--at", f.at.String(), "--for", f.length.String(), "--out", state}
	if f.seedSet {
		args = append(args, "--seed", strconv.FormatInt(f.seed, 10))
	}
	if err := start(ctx, from.Path, append(args, "--", file)...); err != nil {
		return with(from, state, err)
	}
	written := ""
	if f.traceOut != "" {
		written = filepath.Join(dir, "trace"+filepath.Ext(f.traceOut))
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
	if f.traceOut == "" {
		return nil
	}
	trace, err := os.ReadFile(written)
	if err != nil {
		return err
	}
	return output.WriteFile(f.traceOut, trace, f.rights())
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
			fmt.Sprintf("the run with Kubernetes %s ended early: %s", build.Version, placeless(rec.Error, state)),
			"kubestep snapshot --out later.yaml, and edit its steps",
		)
	}
	return rec, nil
}

// placeless is an error without its place in the state: that file is deleted, so its name and line tell nothing.
func placeless(text, state string) string {
	if place, rest, ok := strings.Cut(text, " "); ok && strings.HasPrefix(place, state) {
		return rest
	}
	return text
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
