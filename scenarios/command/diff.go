package command

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/child"
	"github.com/kubestep/kubestep/scenarios/compare"
	"github.com/kubestep/kubestep/sim/recording"
)

func newDiff(streams Streams) *cobra.Command {
	output, width, withoutFaults := "text", widthOfTerminal, false
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "Show where two runs part, and what became of it",
		Long: `Show where two runs part, and what became of it.

A and B are each a trace that kubestep run wrote (-o jsonl, --trace-out), a scenario file, or the name
of a scenario that comes with kubestep, with @SEED behind it for another seed than its own.

First comes the first record that differs, after the last ones that both have. Two seeds differ from the
first record on, in uids, names and instants that mean nothing; so the first decision that differs comes
next: what a controller wrote, other than a status, where it wrote something else in the other run. Then
come counts by controller and by object, checks that ended differently, and fields that differ at the end.

With --without-faults there is one scenario: A is the run without what the scenario makes go wrong, and B the run with
it, of the same seed. A fault should leave no trace once it is over: what differs at the end is a bug of a controller,
or the fault itself. Times, addresses, uids, generated names, Events, leases, counters of versions and the nodes of Pods
are not compared then, and the exit code is 0 when both end in the same state, however they got there.

The exit code is 0 when A and B are the same to the last record, 1 when they differ, and 2 when one
of them cannot be read or run.`,
		Example: `  kubestep diff before.jsonl after.jsonl
  kubestep diff rolling-update@1 rolling-update@2
  kubestep diff my.yaml my-changed.yaml -o json
  kubestep diff expectations-expire --without-faults`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case withoutFaults && len(args) != 1:
				return &UsageError{fmt.Sprintf("diff --without-faults is about one scenario, not %d", len(args)),
					"kubestep diff NAME --without-faults"}
			case !withoutFaults && len(args) != 2:
				return &UsageError{fmt.Sprintf("diff compares two runs, not %d", len(args)), "kubestep diff NAME@1 NAME@2"}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case output != "text" && output != "json":
				return &UsageError{fmt.Sprintf("unknown output %q", output), "-o text or -o json"}
			case width < widthOfTerminal:
				return &UsageError{fmt.Sprintf("--width %d is negative", width), "--width 120"}
			case withoutFaults:
				return diffWithoutFaults(streams, args[0], output, columns(streams.Out, width))
			}
			return diff(streams, args[0], args[1], output, columns(streams.Out, width))
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", output, "text or json")
	cmd.Flags().BoolVar(&withoutFaults, "without-faults", false, "compare one scenario with itself, without what it makes go wrong")
	cmd.Flags().IntVar(&width, "width", width, "text: cut lines at this many columns; 0 is no limit, and -1 the terminal's width")
	return cmd
}

func diff(streams Streams, a, b, output string, width int) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	report, err := compareBoth(ctx, func(ctx context.Context) (*recording.Recording, error) { return record(ctx, a) },
		func(ctx context.Context) (*recording.Recording, error) { return record(ctx, b) })
	if err != nil {
		return err
	}
	if err := printReport(streams, report, output, func(out io.Writer) { printDiff(out, report, width) }); err != nil {
		return err
	}
	if !report.Equal {
		return errChecksFailed
	}
	return nil
}

// printReport prints a report as JSON, or as text does.
func printReport(streams Streams, report *compare.Report, output string, text func(io.Writer)) error {
	out := bufio.NewWriter(streams.Out)
	defer out.Flush()
	if output != "json" {
		text(out)
		return nil
	}
	data, err := json.Marshal(report)
	if err == nil {
		fmt.Fprintf(out, "%s\n", data)
	}
	return err
}

// compareBoth makes both sides at once, and compares them.
func compareBoth(ctx context.Context, a, b func(context.Context) (*recording.Recording, error)) (*compare.Report, error) {
	var sides [2]*recording.Recording
	var errs [2]error
	var both sync.WaitGroup
	both.Go(func() { sides[0], errs[0] = a(ctx) })
	both.Go(func() { sides[1], errs[1] = b(ctx) })
	both.Wait()
	switch err := cmp.Or(errs[0], errs[1]); {
	case ctx.Err() != nil:
		return nil, exitError(exitInterrupted)
	case err != nil:
		return nil, err
	}
	return compare.Compare(sides[0], sides[1]), nil
}

// exitInterrupted is the exit code after Ctrl-C, as shells have it.
const exitInterrupted = 128 + int(syscall.SIGINT)

// record reads a trace, or runs a scenario in a process of its own.
func record(ctx context.Context, name string) (*recording.Recording, error) {
	if isTrace(name) {
		rec, err := readTrace(name)
		if err == nil {
			rec.Name = name
		}
		return rec, err
	}
	file, seed, err := atSeed(name)
	if err != nil {
		return nil, err
	}
	scenario, err := Open(file)
	if err != nil {
		return nil, err
	}
	if seed == nil {
		seed = &scenario.Spec.Seed
	}
	return recordRun(ctx, name, child.Run{File: file, Seed: seed})
}

// recordRun records a run in a process of its own.
func recordRun(ctx context.Context, name string, run child.Run) (*recording.Recording, error) {
	rec, err := run.Record(ctx, recording.Origin{Name: name, Seed: *run.Seed}, nil)
	var wrong *child.Error
	if errors.As(err, &wrong) && wrong.Code == ExitUsage {
		return nil, &UsageError{wrong.Message, wrong.Try}
	}
	return rec, err
}

// atSeed takes NAME@SEED apart. A file that is called so is that file.
func atSeed(name string) (file string, seed *int64, err error) {
	at := strings.LastIndexByte(name, '@')
	if _, missing := os.Stat(name); at < 0 || missing == nil {
		return name, nil, nil
	}
	n, err := strconv.ParseInt(name[at+1:], 10, 64)
	if err != nil {
		return "", nil, &UsageError{fmt.Sprintf("%s: %q is no seed", name, name[at+1:]), name[:at] + "@7"}
	}
	return name[:at], &n, nil
}
