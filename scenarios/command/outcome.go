package command

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// printOutcome ends the report of a run.
func printOutcome(out *bufio.Writer, streams Streams, outcome *runner.Outcome, flags *runFlags,
	failed *failures, file string, objects func(io.Writer),
) error {
	switch flags.output {
	case "json":
		data, err := json.Marshal(outcome)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s\n", data)
		return nil
	case "jsonl":
		if err := out.Flush(); err != nil {
			return outputError("", err)
		}
		fmt.Fprintln(streams.err(), Summary(outcome))
		return nil
	}
	failed.print(out, outcome, file, columns(streams.Out, flags.width))
	objects(out)
	if flags.output == "text" {
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out, Summary(outcome))
	return nil
}

// Summary is the one line that ends a run.
func Summary(o *runner.Outcome) string {
	return strings.Join([]string{
		o.Result, o.Scenario, counted(o),
		"virtual " + compact(o.VirtualSeconds), "settled " + trace.Seconds(duration(o.SettledSeconds)) + unmet(o),
		fmt.Sprintf("wall %.3fs", o.WallSeconds),
		fmt.Sprintf("events %d", o.Events), fmt.Sprintf("records %d", o.Records),
		fmt.Sprintf("seed %d", o.Seed), promise(o), o.TraceHash, "kubernetes " + o.KubernetesVersion,
	}, "  ")
}

// counted tells how many of the scenario's checks passed, and how many invariants held.
func counted(o *runner.Outcome) string {
	var passed, all [2]int
	for _, check := range o.Checks {
		kind := 0
		if check.Invariant {
			kind = 1
		}
		all[kind]++
		if check.Result == runner.Pass {
			passed[kind]++
		}
	}
	text := fmt.Sprintf("checks %d/%d  invariants %d/%d", passed[0], all[0], passed[1], all[1])
	if skipped := len(o.SkippedInvariants); skipped > 0 {
		text += fmt.Sprintf(" (%d skipped)", skipped)
	}
	return text
}

// promise is what the hash stands for: the build, and whose order is open.
func promise(o *runner.Outcome) string {
	if len(o.OpenOrder) == 0 {
		return o.Promise
	}
	return o.Promise + " (order open: " + strings.Join(o.OpenOrder, ", ") + ")"
}

func duration(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }

func compact(seconds float64) string { return duration(seconds).Round(time.Millisecond).String() }
