package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/scenarios/explore/builds"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/future"
	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace/file/tracefile"
	"github.com/kubestep/kubestep/tui/command/shell"
)

// diffHelp describes the command.
const diffHelp = `Show where two runs diverge and how they end.

A and B are each a trace that kubestep run wrote (-o jsonl, --trace-out), a scenario file, or the name
of a scenario that comes with kubestep. Append @SEED to a scenario to run it with another seed.
With --future, give one scenario: A is its run, and B has the same past, but another seed decides what happens
from a virtual time on, from a record on, or from when a CEL condition is true.

The output starts with the first record that differs, after the last records that both runs share. Runs with
different seeds always differ in uids, names and times, so the first decision that differs follows: a write of
a controller, other than a status, for which the other run has a different write. Then follow counts by
controller and by object, checks with different results, outages, and fields that differ at the end. An
outage is a time in which a workload has fewer available Pods, or a Service fewer ready endpoints whose Pods
are Ready, than before and than its spec still asks for.

With --without-faults, give one scenario: A is the run without its faults, and B the run with them, with
the same seed. After a fault is over, both runs should reach the same state. A difference at the end is a
bug of a controller, or the fault itself. Times, addresses, uids, generated names, Events, leases, version
counters and the nodes of Pods are then not compared, and the exit code is 0 when both runs end in the
same state and no outage in B is longer than the faults explain: than in A by more than the time for which
the faults act, one minute, and seven minutes if a node does not recover. With --without-faults=PLACES, A has
all other faults.
` + placesHelp + `

With --kubernetes, give one scenario and two versions: A and B are its runs with the builds for these versions
of Kubernetes. Names with the hash of a template are aligned by their roles, web-(rev1) for the first ReplicaSet
of web, and records are not compared one by one. The exit code is 0 when the controllers make the same
decisions and both runs end in the same state.

The exit code is 0 when A and B are identical, 1 when they differ, and 2 when one of them cannot be read
or run.`

func newDiff(streams cli.Streams) *cobra.Command {
	output, width, without := "text", widthOfTerminal, &withoutFaults{}
	var pair, futures []string
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "Show where two runs diverge and how they end",
		Long:  diffHelp,
		Example: `  kubestep diff before.jsonl after.jsonl
  kubestep diff rolling-update@1 rolling-update@2
  kubestep diff my.yaml my-changed.yaml -o json
  kubestep diff rolling-update --future 16s:42
  kubestep diff rolling-update --kubernetes 1.36,1.37
  kubestep diff expectations-expire --without-faults
  kubestep diff expectations-expire --without-faults=spec.steps[3]`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(pair) > 0 && (len(pair) != 2 || len(args) != 1 || without.isGiven() || len(futures) > 0):
				return cli.Usage("diff --kubernetes takes one scenario and two versions", "kubestep diff NAME --kubernetes 1.36,1.37")
			case len(pair) > 0:
			case without.isGiven() && len(args) != 1:
				return cmp.Or(without.misplaced("without-faults", cmd, args), error(cli.Usage(
					fmt.Sprintf("diff --without-faults takes one scenario, not %d", len(args)), "kubestep diff NAME --without-faults",
				)))
			case len(futures) > 0 && (len(args) != 1 || without.isGiven()):
				return cli.Usage("diff --"+future.Flag+" takes one scenario", "kubestep diff NAME --"+future.Flag+" 5.15s:42")
			case !without.isGiven() && len(futures) == 0 && len(args) != 2:
				return cli.Usage(fmt.Sprintf("diff takes two runs, not %d", len(args)), "kubestep diff NAME@1 NAME@2")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cmp.Or(cli.CheckOutput(output), checkWidth(width)); err != nil {
				return err
			}
			if len(pair) > 0 {
				return diffVersions(cmd.Context(), streams, args[0], pair, output)
			}
			if without.isGiven() {
				return diffWithoutFaults(cmd.Context(), streams, args[0], without, output)
			}
			a, b := side{name: args[0]}, side{name: args[len(args)-1], futures: futures}
			return diff(cmd.Context(), streams, a, b, output, columns(streams.Out, width))
		},
	}
	shell.OutputFormat(cmd.Flags(), &output, "text", "json")
	cmd.Flags().StringSliceVar(&pair, builds.Flag, nil, "compare a scenario in these two `VERSIONS` of Kubernetes, such as 1.36,1.37")
	cmd.Flags().StringArrayVar(&futures, future.Flag, nil,
		"compare a scenario with itself, with another seed from a virtual time, a record or a CEL condition on: `FROM:SEED`, such as 5.15s:42")
	without.add(cmd, "compare a scenario with the same scenario without its faults, or without those at these `PLACES`")
	cmd.Flags().IntVar(&width, "width", width, "cut the lines of the text form at `COLUMNS`; 0 means no limit, -1 the width of the terminal")
	return cmd
}

// side is one of two runs: a trace, or a scenario with or without @SEED, the rest of which may have other seeds.
type side struct {
	name    string
	futures []string
}

func diff(ctx context.Context, streams cli.Streams, a, b side, output string, width int) error {
	ctx, stop := interrupt.Context(ctx)
	defer stop()
	makeA := func(ctx context.Context) (*recording.Recording, error) { return a.record(ctx, streams) }
	makeB := func(ctx context.Context) (*recording.Recording, error) { return b.record(ctx, streams) }
	same := len(b.futures) == 0 && tracefile.IsMeant(a.name) && tracefile.Same(a.name, b.name)
	if same {
		once := sync.OnceValues(func() (*recording.Recording, error) { return a.record(ctx, streams) })
		makeA = func(context.Context) (*recording.Recording, error) { return once() }
		makeB = makeA
	}
	report, err := compareBoth(ctx, makeA, makeB, func(left, right *recording.Recording) *compare.Report {
		if same {
			cli.WarnVersion(streams, b.name, right.Made)
		}
		return compare.Compare(left, right)
	})
	if err != nil {
		return err
	}
	if same {
		report.B.Name = b.name
	}
	if err := cli.PrintReport(streams, report, output, func(out io.Writer) { report.Print(out, width) }); err != nil {
		return err
	}
	if !report.Equal {
		return cli.ErrChecksFailed
	}
	return nil
}

// compareBoth makes both sides at once, and compares them.
func compareBoth(ctx context.Context, a, b func(context.Context) (*recording.Recording, error),
	how func(a, b *recording.Recording) *compare.Report) (*compare.Report, error) {
	var sides [2]*recording.Recording
	var errs [2]error
	var both sync.WaitGroup
	both.Go(func() { sides[0], errs[0] = a(ctx) })
	both.Go(func() { sides[1], errs[1] = b(ctx) })
	both.Wait()
	switch err := cmp.Or(errs[0], errs[1]); {
	case ctx.Err() != nil:
		return nil, interrupt.Cause(ctx)
	case err != nil:
		return nil, err
	}
	return how(sides[0], sides[1]), nil
}

// record reads a trace, or runs a scenario in a process of its own.
func (s side) record(ctx context.Context, streams cli.Streams) (*recording.Recording, error) {
	if tracefile.IsMeant(s.name) {
		if len(s.futures) > 0 {
			return nil, cli.Usage("--"+future.Flag+" needs a scenario; "+s.name+" is a trace of one run", "kubestep diff "+s.name+" OTHER")
		}
		rec, err := readTrace(streams, s.name)
		if err == nil {
			rec.Name = s.name
		}
		return rec, err
	}
	file, seed, err := atSeed(s.name)
	if err != nil {
		return nil, err
	}
	if _, err := runner.Open(file); err != nil {
		return nil, err
	}
	name := strings.Join(append([]string{s.name}, future.Args(s.futures)...), " ")
	return recordRun(ctx, name, child.Run{File: file, Seed: seed, Futures: s.futures})
}

// recordRun records a run in a process of its own.
func recordRun(ctx context.Context, name string, run child.Run) (*recording.Recording, error) {
	rec, err := run.Record(ctx, recording.Origin{Name: name}, nil)
	var wrong *child.Error
	if errors.As(err, &wrong) && wrong.Code == cli.ExitUsage {
		return nil, cli.Usage(wrong.Message, wrong.Try)
	}
	if err == nil {
		err = limits.Check(rec)
	}
	return rec, err
}

// atSeed splits NAME@SEED. A file that is called so is that file.
func atSeed(name string) (file string, seed *int64, err error) {
	at := strings.LastIndexByte(name, '@')
	if _, missing := os.Stat(name); at < 0 || missing == nil {
		return name, nil, nil
	}
	n, err := strconv.ParseInt(name[at+1:], 10, 64)
	if err != nil {
		return "", nil, cli.Usage(fmt.Sprintf("%s: %q is not a seed", name, name[at+1:]), name[:at]+"@7")
	}
	return name[:at], &n, nil
}
