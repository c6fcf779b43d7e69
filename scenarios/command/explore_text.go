package command

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/format"
	"github.com/kubestep/kubestep/scenarios/sweep"
	"github.com/kubestep/kubestep/sim/trace"
)

// sweepSummary is what there is to tell of a sweep.
type sweepSummary struct {
	*sweep.Results
	// Ran is how many seeds ran now, and Left how many did not.
	Ran, Left int
	Elapsed   time.Duration
	// Untrusted runs were made with --untrusted.
	Untrusted bool
}

// concludeSweep tells how a sweep ended.
func concludeSweep(out *bufio.Writer, s *sweepSummary, output string) error {
	groups := s.Groups()
	if output == "json" {
		if err := printSweepJSON(out, s, groups); err != nil {
			return err
		}
	} else {
		printSweep(out, s, groups)
	}
	if err := out.Flush(); err != nil {
		return outputError("", err)
	}
	if s.Failing > 0 || len(s.Unrepeated()) > 0 {
		return errChecksFailed
	}
	return nil
}

func printSweepJSON(out io.Writer, s *sweepSummary, groups []*sweep.Group) error {
	if groups == nil {
		groups = []*sweep.Group{}
	}
	data, err := json.Marshal(map[string]any{
		"scenario": s.Header.Name, "scenarioHash": s.Header.Hash, "kubernetesVersion": s.Header.Kubernetes,
		"seeds": len(s.BySeed), "passed": len(s.BySeed) - s.Failing, "failed": s.Failing, "left": s.Left,
		"ran": s.Ran, "wallSeconds": s.Elapsed.Seconds(), "groups": groups, "differing": s.Differing,
		"confirmed": s.Confirmed, "unrepeated": s.Unrepeated(),
	})
	if err == nil {
		_, err = fmt.Fprintf(out, "%s\n", data)
	}
	return err
}

func printSweep(out io.Writer, s *sweepSummary, groups []*sweep.Group) {
	for n, group := range groups {
		printGroup(out, s, n+1, group)
	}
	for _, seed := range s.Differing {
		fmt.Fprintf(out, "seed %d ran in two shards with different traces\n", seed)
	}
	unrepeated := s.Unrepeated()
	printUnrepeated(out, s, unrepeated)
	result := "pass"
	if s.Failing > 0 || len(unrepeated) > 0 {
		result = "fail"
	}
	fmt.Fprintf(out, "%s  %s  seeds %s  passed %d  failed %d", result, s.Header.Name, sweep.Ranges(s.AllSeeds()),
		len(s.BySeed)-s.Failing, s.Failing)
	if len(groups) > 0 {
		fmt.Fprintf(out, "  groups %d", len(groups))
	}
	if s.Confirmed > 0 {
		fmt.Fprintf(out, "  confirmed %d", s.Confirmed)
	}
	if len(unrepeated) > 0 {
		fmt.Fprintf(out, "  not repeated %d", len(unrepeated))
	}
	if before := len(s.BySeed) - s.Ran; s.Elapsed > 0 && before > 0 {
		fmt.Fprintf(out, "  before %d", before)
	}
	if s.Ran > 0 {
		fmt.Fprintf(out, "  wall %.1fs  %.1f per second", s.Elapsed.Seconds(), float64(s.Ran)/s.Elapsed.Seconds())
	}
	fmt.Fprintln(out)
}

// printUnrepeated tells of the seeds that passed, and had another trace in a fresh process.
func printUnrepeated(out io.Writer, s *sweepSummary, seeds []int64) {
	if len(seeds) == 0 {
		return
	}
	first := s.BySeed[seeds[0]]
	fmt.Fprintf(out, "NOT REPEATED: %s passed, but with another trace in a new process: %s\n",
		trace.Count(len(seeds), "seed"), seedList(seeds))
	fmt.Fprintf(out, "   seed %d in a new process: %s\n", first.Seed, first.Unconfirmed)
	if len(first.OpenOrder) > 0 {
		fmt.Fprintf(out, "   Go decides the order of %s: see %sexplanation/determinism.md\n",
			strings.Join(first.OpenOrder, ", "), format.Documentation)
	}
	fmt.Fprintln(out)
}

// seedList lists seeds, if they are many only the first of them.
func seedList(seeds []int64) string {
	return sweep.Ranges(seeds[:min(len(seeds), seedsShown)]) + more(len(seeds)-seedsShown)
}

func printGroup(out io.Writer, s *sweepSummary, n int, g *sweep.Group) {
	fmt.Fprintf(out, "%d. FAILED %s, %s\n", n, g.Check, trace.Count(len(g.Seeds), "seed"))
	fmt.Fprintf(out, "   seed %d: %s\n", g.Smallest, g.Message)
	switch {
	case g.Decision != nil:
		fmt.Fprintf(out, "   the first decision that no passing seed took: %s %s, for %s at %s\n",
			g.Decision.Actor, g.Decision.Text, g.Decision.Key, trace.Seconds(g.Decision.At))
	case s.NonePassed():
		fmt.Fprintln(out, "   no seed passed")
	default:
		fmt.Fprintln(out, "   the controllers decided as in passing seeds; only the times differ")
	}
	for _, seed := range slices.Sorted(maps.Keys(g.Unconfirmed)) {
		fmt.Fprintf(out, "   seed %d in a new process: %s\n", seed, g.Unconfirmed[seed])
	}
	if len(g.Seeds) > 1 {
		fmt.Fprintf(out, "   seeds: %s\n", seedList(g.Seeds))
	}
	if s.Untrusted {
		// Only run and explore keep a scenario from the machine.
		fmt.Fprintf(out, "   show it: kubestep run --untrusted %s --seed %d\n\n", s.Header.File, g.Smallest)
		return
	}
	fmt.Fprintf(out, "   show it: kubestep run %s --seed %d\n", s.Header.File, g.Smallest)
	fmt.Fprintf(out, "   shrink it: kubestep shrink %s --seed %d --out small.yaml\n\n", s.Header.File, g.Smallest)
}

// seedsShown is how many seeds of a group are listed.
const seedsShown = 50

func more(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}
