package sweep

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/place"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// everyText writes the line that says what a sweep over places or pairs has found.
func (s *Summary) everyText(out io.Writer, groups int) {
	all, depth := s.Header.Every.Places, "one"
	if s.Header.Every.Pairs {
		depth = "two"
	}
	fmt.Fprintf(out, "every  %s  seed %d  %ss %d  runs %d  ", s.Header.Name, s.Header.Every.Seed, s.Header.Unit(), all, s.Len())
	if n := s.Returned(); n > 0 {
		fmt.Fprintf(out, "returned %d  ", n)
	}
	known := s.failedAlone()
	fmt.Fprintf(out, "failed %d", s.Failing-known)
	if groups > 0 {
		fmt.Fprintf(out, " in %s", trace.Count(groups, "group"))
	}
	if known > 0 {
		fmt.Fprintf(out, " (and %d as at one place)", known)
	}
	fmt.Fprint(out, ": ")
	switch {
	case s.IsComplete() && groups == 0:
		fmt.Fprintf(out, "nothing at depth %s", depth)
	case s.IsComplete():
		fmt.Fprintf(out, "no more at depth %s", depth)
	case s.BudgetSpent:
		fmt.Fprintf(out, "budget spent after %d of %d %ss", s.Len(), all, s.Header.Unit())
		if s.Classes.All > 0 {
			fmt.Fprintf(out, ", %s", s.Classes)
		}
	default:
		fmt.Fprintf(out, "%d of %d %ss did not run", all-int64(s.Len()), all, s.Header.Unit())
	}
	if s.Ran > 0 {
		fmt.Fprintf(out, "  cpu %.1fs  wall %.1fs", s.Spent.Seconds(), s.Elapsed.Seconds())
	}
	fmt.Fprintln(out)
}

// IsComplete reports whether all places or pairs have run.
func (s *Summary) IsComplete() bool { return int64(s.Len()) == s.Header.Every.Places }

// Then adds the summary of pairs.
func (s *Summary) Then(pairs *Summary) { s.Pairs, pairs.places = pairs, s.Results }

// Groups are those of the results. Those of pairs leave out what goes wrong at one place alone, too.
func (s *Summary) Groups() []*Group {
	groups := s.Results.Groups()
	if s.places == nil {
		return groups
	}
	return slices.DeleteFunc(groups, func(g *Group) bool { return s.places.has(s.wayOf(g.Smallest)) })
}

// failedAlone counts the pairs that Groups leaves out.
func (s *Summary) failedAlone() (n int) {
	if s.places == nil {
		return 0
	}
	for seed := range s.seeds {
		if s.Verdict(seed) != runner.Pass && s.places.has(s.wayOf(seed)) {
			n++
		}
	}
	return n
}

// has reports whether a run ended in the same way.
func (r *Results) has(w *way) bool {
	_, ok := r.byKey[w.key]
	return ok
}

// everyGroup is a group of places or pairs for programs.
type everyGroup struct {
	Verdict string `json:"verdict"`
	Check   string `json:"check"`
	Message string `json:"message"`
	// Place is the first place, and Faults say where it is, and what the fault is. Those of pairs are texts: 31,7.
	Place  any      `json:"place"`
	Faults []string `json:"faults"`
	Places []any    `json:"places"`
	// Unconfirmed are places whose trace a fresh process did not repeat.
	Unconfirmed map[string]string `json:"unconfirmed,omitempty"`
	Show        string            `json:"show"`
	// Why is the command that says why objects are not as wanted at the end; empty if that is not what is wrong.
	Why    string `json:"why,omitempty"`
	Shrink string `json:"shrink"`
}

// placeJSON is a place or pair for programs.
func (s *Summary) placeJSON(seed int64) any {
	if s.Header.Every.Pairs {
		return place.Number(seed).String()
	}
	return seed
}

// everyJSON writes the summary of a sweep over places for programs.
func (s *Summary) everyJSON(out io.Writer) error {
	data, err := json.Marshal(s.everyFields())
	if err == nil {
		_, err = fmt.Fprintf(out, "%s\n", data)
	}
	return err
}

// everyFields are the fields of the summary of places or pairs.
func (s *Summary) everyFields() map[string]any {
	groups := []everyGroup{}
	for _, g := range s.Groups() {
		group := everyGroup{
			Verdict: g.Verdict, Check: g.Check, Message: g.Message, Place: s.placeJSON(g.Smallest), Faults: g.Faults,
			Show: s.show(g), Why: s.why(g), Shrink: s.shrink(g),
		}
		for _, seed := range g.Seeds {
			group.Places = append(group.Places, s.placeJSON(seed))
		}
		for seed, what := range g.Unconfirmed {
			if group.Unconfirmed == nil {
				group.Unconfirmed = map[string]string{}
			}
			group.Unconfirmed[fmt.Sprint(s.placeJSON(seed))] = what
		}
		groups = append(groups, group)
	}
	missing := s.Missing
	if missing == nil {
		missing = []Missing{}
	}
	fields := map[string]any{
		"scenario": s.Header.Name, "scenarioHash": s.Header.Hash, "kubernetesVersion": s.Header.Kubernetes, "seed": s.Header.Every.Seed,
		s.Header.Unit() + "s": s.Header.Every.Places, "runs": s.Len(), "returned": s.Returned(), "passed": s.Len() - s.Failing,
		"failed": s.Failing, "complete": s.IsComplete(), "budgetSpent": s.BudgetSpent, "ran": s.Ran,
		"cpuSeconds": s.Spent.Seconds(), "wallSeconds": s.Elapsed.Round(time.Millisecond).Seconds(), "groups": groups,
		"verdicts": s.verdicts(), "confirmed": s.Confirmed, "unrepeated": s.Unrepeated(), "differing": s.Differing, "missing": missing,
	}
	if s.Classes.All > 0 {
		fields["classes"], fields["classesRun"], fields["ofEachClass"] = s.Classes.All, s.Classes.Ran, s.Classes.Each
	}
	if s.Header.Every.Pairs {
		fields["failedAtOnePlace"] = s.failedAlone()
	}
	if s.Pairs != nil {
		fields["depthTwo"] = s.Pairs.everyFields()
	}
	return fields
}
