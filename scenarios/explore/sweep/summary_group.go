package sweep

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/future"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// printGroup writes what the runs of a group have in common, and how to see the first of them.
func printGroup(out io.Writer, s *Summary, n int, g *Group) {
	fmt.Fprintf(out, "%d. %s, %s\n", n, headline(g), trace.Count(len(g.Seeds), "seed"))
	fmt.Fprintf(out, "   seed %d: %s\n", g.Smallest, g.Message)
	printDrawn(out, g)
	if c := g.Comparison; c != nil {
		if c.Stuck {
			fmt.Fprintln(out, "   without its faults, something is stuck, too")
		}
		printDifferences(out, slices.DeleteFunc(slices.Clone(c.Ends), func(end string) bool {
			return g.Verdict == child.Diverged && strings.HasPrefix(g.Message, end)
		}))
	}
	switch {
	case g.Decision != nil:
		fmt.Fprintf(out, "   the first decision that no passing seed took: %s %s, for %s at %s\n",
			g.Decision.Actor, g.Decision.Text, g.Decision.Key, trace.Seconds(g.Decision.At))
	case s.NonePassed():
		fmt.Fprintln(out, "   no seed passed")
	case g.Verdict == runner.Fail:
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
		fmt.Fprintf(out, "   show it: kubestep run --untrusted %s\n\n", s.arguments(g.Smallest))
		return
	}
	compares := ""
	if g.Verdict == child.Diverged {
		compares = " --compare"
	}
	fmt.Fprintf(out, "   show it: kubestep run %s%s\n", s.arguments(g.Smallest), compares)
	fmt.Fprintf(out, "   shrink it: kubestep shrink %s --out small.yaml\n", s.arguments(g.Smallest))
	switch g.Verdict {
	case child.Diverged:
		fmt.Fprintln(out, "   what its faults change: kubestep diff small.yaml --without-faults")
	case child.Late:
		fmt.Fprintln(out, "   a run alone passes; what its faults cost: kubestep diff small.yaml --without-faults")
	}
	fmt.Fprintln(out)
}

// headline is the verdict of a group, and what failed.
func headline(g *Group) string {
	switch g.Verdict {
	case child.Stuck, child.Diverged, child.Late:
		return strings.ToUpper(g.Verdict)
	}
	return "FAILED " + g.Check
}

// arguments are those of run and shrink for the run of a seed.
func (s *Summary) arguments(seed int64) string {
	spaces := ""
	if s.Header.Spaces != "" {
		spaces = " --faults " + s.Header.Spaces
	}
	if past := s.Header.Past; !past.IsZero() {
		first, rest := past.Flags(seed)
		return s.Header.File + " --seed " + first + " --" + future.Flag + " " + cli.ShellWord(rest)
	}
	return fmt.Sprintf("%s%s --seed %d", s.Header.File, spaces, seed)
}

// printDrawn lists the faults that the run of a group needs, if that is known, or all of them.
func printDrawn(out io.Writer, g *Group) {
	shown := g.Faults
	if len(g.Needs) > 0 {
		shown = g.Needs
	}
	for _, fault := range shown {
		fmt.Fprintf(out, "   %s\n", fault)
	}
	if n := len(g.Faults) - len(shown); n > 0 {
		fmt.Fprintf(out, "   and %s that it does not need\n", trace.Count(n, "fault"))
	}
}

// differencesShown is how many differences to the run without faults are listed.
const differencesShown = 4

func printDifferences(out io.Writer, differences []string) {
	for _, difference := range differences[:min(len(differences), differencesShown)] {
		fmt.Fprintf(out, "   %s\n", difference)
	}
	if n := len(differences) - differencesShown; n > 0 {
		fmt.Fprintf(out, "   and %s more\n", trace.Count(n, "difference"))
	}
}

// printOutliers lists runs that passed, but differ most from those without their faults.
func printOutliers(out io.Writer, s *Summary) {
	outliers := s.Outliers()
	if len(outliers) == 0 {
		return
	}
	fmt.Fprintln(out, "Passed, but different from the run without the faults, the most different first:")
	for _, o := range outliers {
		later := ""
		if o.Later > 0 {
			later = ", settled " + o.Later.Round(time.Millisecond).String() + " later"
		}
		fmt.Fprintf(out, "   seed %d%s", o.Seed, later)
		if len(o.Seeds) > 1 {
			fmt.Fprintf(out, " (alike: %s)", seedList(o.Seeds))
		}
		fmt.Fprintln(out)
		for _, fault := range o.Faults {
			fmt.Fprintf(out, "      %s\n", fault)
		}
		differences := o.Ends
		if len(differences) == 0 {
			differences = o.History
		}
		for _, difference := range differences[:min(len(differences), differencesShown)] {
			fmt.Fprintf(out, "      %s\n", difference)
		}
	}
	fmt.Fprintln(out)
}
