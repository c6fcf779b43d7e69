package verdicts

import (
	"fmt"
	"io"
	"strings"

	"github.com/kubestep/kubestep/scenarios/explore/sweep"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// Text writes the report for people: the groups, and a line that counts.
func (r *Report) Text(out io.Writer) {
	for n, g := range r.Groups {
		fmt.Fprintf(out, "%d. %s: %s\n", n+1, trace.Count(len(g.worlds), r.header.Unit()), g.headline())
		r.print(out, g)
	}
	if len(r.Alone) > 0 {
		fmt.Fprintln(out, "Failures at places that not all versions have:")
	}
	for _, g := range r.Alone {
		fmt.Fprintf(out, "%s: %s\n", trace.Count(len(g.worlds), r.header.Unit()), g.headline())
		r.print(out, g)
	}
	result := "same"
	if r.Differs() {
		result = "differ"
	}
	fmt.Fprintf(out, "%s  %s  %ss compared %d  differing %d", result, r.Scenario, r.header.Unit(), r.Compared, r.Differing)
	if len(r.Groups) > 0 {
		fmt.Fprintf(out, " in %s", trace.Count(len(r.Groups), "group"))
	}
	for _, v := range r.Versions {
		fmt.Fprintf(out, "  %s failed %d", v.Version, v.Failed)
		if v.Alone > 0 {
			fmt.Fprintf(out, " (%s of its own)", trace.Count(v.Alone, r.header.Unit()))
		}
	}
	fmt.Fprintf(out, "  wall %.1fs\n", r.WallSeconds)
}

// headline is the verdict of each version: 1.35.4 STUCK, 1.36.3 and 1.37.2 pass.
func (g *Group) headline() string {
	var parts []string
	for i := 0; i < len(g.Endings); {
		end := i + 1
		for end < len(g.Endings) && g.Endings[end].how == g.Endings[i].how {
			end++
		}
		var versions []string
		for _, e := range g.Endings[i:end] {
			versions = append(versions, e.Version)
		}
		parts = append(parts, strings.Join(versions, " and ")+" "+g.Endings[i].word())
		i = end
	}
	return strings.Join(parts, ", ")
}

// word is the verdict in one word, or in two.
func (e Ending) word() string {
	switch e.Verdict {
	case runner.Pass:
		return "pass"
	case absent:
		return "no such place"
	case runner.Fail:
		return "FAILED " + e.Check
	}
	return strings.ToUpper(e.Verdict)
}

// print writes what the runs of a group have in common, and how to see the first of them.
func (r *Report) print(out io.Writer, g *Group) {
	unit := r.header.Unit()
	shown := map[sweep.How]bool{}
	for _, e := range g.Endings {
		if e.Counts == nil || shown[e.how] {
			continue
		}
		shown[e.how] = true
		fmt.Fprintf(out, "   %s %d with %s: %s\n", unit, e.Example, e.Version, e.Message)
		for _, fault := range e.Faults {
			fmt.Fprintf(out, "      %s\n", fault)
		}
		fmt.Fprintf(out, "   all %ss that end so:%s\n", unit, r.counts(e))
	}
	switch {
	case g.Everywhere && len(g.Places) > 0:
		fmt.Fprintln(out, "   each version ends so at some places: only where may differ")
	case g.Everywhere:
		fmt.Fprintln(out, "   each version ends so with some seeds: this may be chance")
	}
	if len(g.Seeds) > 0 {
		fmt.Fprintf(out, "   seeds: %s\n", sweep.SeedList(g.Seeds))
	}
	for _, p := range g.Places[:min(len(g.Places), placesShown)] {
		fmt.Fprintf(out, "   %s:%s\n", p.Identity, r.numbers(p))
	}
	if more := len(g.Places) - placesShown; more > 0 {
		fmt.Fprintf(out, "   and %s more\n", trace.Count(more, "place"))
	}
	for _, e := range g.Endings {
		if e.Unconfirmed != "" {
			fmt.Fprintf(out, "   in a new process with %s: %s\n", e.Version, e.Unconfirmed)
		}
		if e.Show != "" {
			fmt.Fprintf(out, "   show it: %s\n", e.Show)
		}
	}
	if a, b := g.pair(); r.isPlain() && b != "" {
		fmt.Fprintf(out, "   what differs: kubestep diff %s@%d --kubernetes %s,%s\n", r.header.File, g.Seeds[0], a, b)
	}
	fmt.Fprintln(out)
}

// placesShown is how many places of a group are listed.
const placesShown = 10

// counts words how many runs of each version end as one does.
func (r *Report) counts(e Ending) (text string) {
	for _, v := range r.Versions {
		text += fmt.Sprintf(" %d with %s,", e.Counts[v.Version], v.Version)
	}
	return strings.TrimSuffix(text, ",")
}

// numbers words the numbers of a place.
func (r *Report) numbers(p Place) (text string) {
	for _, v := range r.Versions {
		if n := p.Numbers[v.Version]; n != 0 {
			text += fmt.Sprintf(" %d with %s,", n, v.Version)
		}
	}
	return strings.TrimSuffix(text, ",")
}

// isPlain reports whether kubestep diff can make the runs: they have no other faults than those of the scenario.
func (r *Report) isPlain() bool {
	return r.header.Spaces == "" && r.header.Every.IsZero() && r.header.Past.IsZero()
}

// pair are two versions with which the group ends otherwise.
func (g *Group) pair() (a, b string) {
	for _, e := range g.Endings[1:] {
		if e.how != g.Endings[0].how {
			return g.Endings[0].Version, e.Version
		}
	}
	return g.Endings[0].Version, ""
}
