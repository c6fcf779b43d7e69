package sweep

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// everyText writes the line that says what a sweep over places has found.
func (s *Summary) everyText(out io.Writer, groups int) {
	places := s.Header.Every.Places
	fmt.Fprintf(out, "every  %s  seed %d  places %d  runs %d  ", s.Header.Name, s.Header.Every.Seed, places, s.Len())
	if s.Failing > 0 {
		fmt.Fprintf(out, "failed %d in %s: ", s.Failing, trace.Count(groups, "group"))
	} else {
		fmt.Fprint(out, "failed 0: ")
	}
	switch {
	case int64(s.Len()) == places && s.Failing == 0:
		fmt.Fprint(out, "nothing at depth one")
	case int64(s.Len()) == places:
		fmt.Fprint(out, "no more at depth one")
	case s.BudgetSpent:
		fmt.Fprintf(out, "budget spent after %d of %d places", s.Len(), places)
	default:
		fmt.Fprintf(out, "%d of %d places did not run", places-int64(s.Len()), places)
	}
	if s.Ran > 0 {
		fmt.Fprintf(out, "  cpu %.1fs  wall %.1fs", s.Spent.Seconds(), s.Elapsed.Seconds())
	}
	fmt.Fprintln(out)
}

// everyGroup is a group of places for programs.
type everyGroup struct {
	Verdict string `json:"verdict"`
	Check   string `json:"check"`
	Message string `json:"message"`
	// Place is the first place, and Faults say where it is, and what the fault is.
	Place  int64    `json:"place"`
	Faults []string `json:"faults"`
	Places []int64  `json:"places"`
	// Unconfirmed are places whose trace a fresh process did not repeat.
	Unconfirmed map[int64]string `json:"unconfirmed,omitempty"`
	Show        string           `json:"show"`
	// Why is the command that says why objects are not as wanted at the end; empty if that is not what is wrong.
	Why    string `json:"why,omitempty"`
	Shrink string `json:"shrink"`
}

// everyJSON writes the summary of a sweep over places for programs.
func (s *Summary) everyJSON(out io.Writer) error {
	groups := []everyGroup{}
	for _, g := range s.Groups() {
		groups = append(groups, everyGroup{
			Verdict: g.Verdict, Check: g.Check, Message: g.Message, Place: g.Smallest, Faults: g.Faults, Places: g.Seeds,
			Unconfirmed: g.Unconfirmed, Show: s.show(g), Why: s.why(g), Shrink: s.shrink(g),
		})
	}
	missing := s.Missing
	if missing == nil {
		missing = []Missing{}
	}
	data, err := json.Marshal(map[string]any{
		"scenario": s.Header.Name, "scenarioHash": s.Header.Hash, "kubernetesVersion": s.Header.Kubernetes, "seed": s.Header.Every.Seed,
		"places": s.Header.Every.Places, "runs": s.Len(), "passed": s.Len() - s.Failing, "failed": s.Failing,
		"complete": int64(s.Len()) == s.Header.Every.Places, "budgetSpent": s.BudgetSpent, "ran": s.Ran,
		"cpuSeconds": s.Spent.Seconds(), "wallSeconds": s.Elapsed.Round(time.Millisecond).Seconds(), "groups": groups,
		"verdicts": s.verdicts(), "confirmed": s.Confirmed, "unrepeated": s.Unrepeated(), "differing": s.Differing, "missing": missing,
	})
	if err == nil {
		_, err = fmt.Fprintf(out, "%s\n", data)
	}
	return err
}
