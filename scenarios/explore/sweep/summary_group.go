package sweep

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// printGroup writes what the runs of a group have in common, and how to see the first of them.
func printGroup(out io.Writer, s *Summary, n int, g *Group) {
	unit := s.Header.Unit()
	fmt.Fprintf(out, "%d. %s, %s\n", n, Headline(g), trace.Count(len(g.Seeds), unit))
	fmt.Fprintf(out, "   %s: %s\n", s.Header.number(g.Smallest), g.Message)
	printDrawn(out, g)
	if c := g.Comparison; c != nil {
		if c.Stuck {
			fmt.Fprintln(out, "   without its faults, something is stuck, too")
		}
		if c.Hot {
			fmt.Fprintf(out, "   its faults have no part in it; without them, %s\n", c.HotWithout)
		}
		printDifferences(out, slices.DeleteFunc(slices.Clone(c.Ends), func(end string) bool {
			return g.Verdict == runner.Diverged && strings.HasPrefix(g.Message, end)
		}))
	}
	switch {
	case g.Decision != nil:
		fmt.Fprintf(out, "   the first decision that no passing %s took: %s %s, for %s at %s\n",
			unit, g.Decision.Actor, g.Decision.Text, g.Decision.Key, trace.Seconds(g.Decision.At))
	case s.NonePassed():
		fmt.Fprintf(out, "   no %s passed\n", unit)
	case g.Verdict == runner.Fail:
		fmt.Fprintf(out, "   the controllers decided as in passing %ss; only the times differ\n", unit)
	}
	for _, seed := range slices.Sorted(maps.Keys(g.Unconfirmed)) {
		fmt.Fprintf(out, "   %s in a new process: %s\n", s.Header.number(seed), g.Unconfirmed[seed])
	}
	if len(g.Seeds) > 1 {
		fmt.Fprintf(out, "   %ss: %s\n", unit, s.Header.numbers(g.Seeds))
	}
	fmt.Fprintf(out, "   show it: %s\n", s.show(g))
	if s.Untrusted {
		fmt.Fprintln(out)
		return
	}
	if why := s.why(g); why != "" {
		fmt.Fprintf(out, "   why: %s\n", why)
	}
	if shrink := s.shrink(g); shrink != "" {
		fmt.Fprintf(out, "   shrink it: %s\n", shrink)
	}
	switch {
	case g.Check == child.NoHistory:
	case g.Verdict == runner.Diverged:
		fmt.Fprintln(out, "   what its faults change: kubestep diff small.yaml --without-faults"+s.fault(g))
	case g.Verdict == runner.Late:
		fmt.Fprintln(out, "   a run alone passes; what its faults cost: kubestep diff small.yaml --without-faults"+s.fault(g))
	}
	fmt.Fprintln(out)
}

// show is the command that shows the run of the smallest seed of a group. Only run and explore keep a scenario from the machine.
func (s *Summary) show(g *Group) string {
	if s.Untrusted {
		return "kubestep run --untrusted " + s.Header.arguments(g.Smallest) + g.Limit(s.Limits)
	}
	return s.Header.Show(g.Smallest, How{Verdict: g.Verdict, Check: g.Check}) + g.Limit(s.Limits)
}

// Limit is the flag, after a space, without which the runs of a group do not fail, since they exceeded what it says; empty for other
// groups.
func (g *Group) Limit(flags map[trace.HaltReason]string) string {
	if flag := flags[trace.HaltReason(g.Check)]; g.Verdict == runner.Fault && flag != "" {
		return " " + flag
	}
	return ""
}

// why is the command that says why objects are not as wanted at the end of the run of the smallest seed of a group; empty if there are
// none.
func (s *Summary) why(g *Group) string {
	if s.Untrusted || g.Verdict != runner.Stuck && g.Verdict != runner.Diverged {
		return ""
	}
	return "kubestep why " + s.Header.arguments(g.Smallest)
}

// fault is the value of a flag that means the fault at a place, and not those of the scenario.
func (s *Summary) fault(g *Group) string {
	if len(g.Rules) == 0 {
		return ""
	}
	return "=" + strings.Join(g.Rules, ",")
}

// shrink is the command that shrinks the run of the smallest seed of a group; empty if there is none.
func (s *Summary) shrink(g *Group) string {
	if s.Untrusted || g.Limit(s.Limits) != "" {
		return ""
	}
	command := "kubestep shrink " + s.Header.arguments(g.Smallest)
	if g.Check == child.NoHistory {
		command += " --history"
	}
	return command + " --out small.yaml"
}

// Headline is the verdict of a group, and what failed.
func Headline(g *Group) string {
	switch g.Verdict {
	case runner.Stuck, runner.Hot, runner.Diverged, runner.Late:
		return strings.ToUpper(g.Verdict)
	}
	return "FAILED " + g.Check
}

// printDrawn lists the faults that the run of a group needs, if that is known, or all of them.
func printDrawn(out io.Writer, g *Group) {
	if isHotAnyway(g.Comparison) {
		return
	}
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
			fmt.Fprintf(out, " (alike: %s)", SeedList(o.Seeds))
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
