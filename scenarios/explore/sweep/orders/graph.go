package orders

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/runner/order"
	"github.com/kubestep/kubestep/sim/observe/digest"
	"github.com/kubestep/kubestep/sim/trace"
)

// Graph is what runs have gone through: states in which several events could come next, and the choices between them.
type Graph struct {
	// States are in the order in which they were found.
	States []*State
	// Choices counts those that were taken.
	Choices int
	// Ends are how runs ended, in the order in which that was first seen.
	Ends []*End

	states map[digest.Digest]*State
	ends   map[string]*End
}

// State is a state in which a run had a choice to make.
type State struct {
	// Number is its place in Graph.States.
	Number int
	Digest digest.Digest
	At     time.Duration
	Open   []child.Open
	// Facts are the objects, and Changed those of them that are not as in the state before, on the way on which it was found.
	Facts, Changed []order.Fact
	// Before is the state before on that way; nil for the first one. Run is the number of the run that found the state, and List the
	// choices of that run.
	Before *State
	Run    int
	List   []int
	// Next are where the choices lead to, one for each of Open; nil where none was taken.
	Next []*Place
	// by are the lists of the runs that took the choices first.
	by [][]int
}

// Place is where a choice leads to: a state, or the end of a run.
type Place struct {
	State *State
	End   *End
}

// End is a way in which runs end.
type End struct {
	// Number is its place in Graph.Ends.
	Number int
	// Result is that of child.Report, and What is what failed.
	Result, What string
}

// Failed reports whether runs that end so have failed.
func (e *End) Failed() bool { return e.Result != runner.Pass }

// Text is "fail a-comes-first".
func (e *End) Text() string { return strings.TrimSpace(e.Result + " " + e.What) }

func newGraph() *Graph {
	return &Graph{states: map[digest.Digest]*State{}, ends: map[string]*End{}}
}

// knows reports whether a run has been in a state.
func (g *Graph) knows(state digest.Digest) bool { return g.states[state] != nil }

// state finds or adds the state of a choice of a run; before is what the run had before.
func (g *Graph) state(d *child.Choice, before *State, run int, list []int) *State {
	if known := g.states[d.State]; known != nil {
		return known
	}
	s := &State{
		Number: len(g.States), Digest: d.State, At: d.At, Open: d.Open, Facts: d.Facts, Before: before, Run: run, List: list,
		Next: make([]*Place, len(d.Open)), by: make([][]int, len(d.Open)),
	}
	s.Changed = s.Facts
	if before != nil {
		s.Changed = changed(before.Facts, s.Facts)
	}
	g.States = append(g.States, s)
	g.states[s.Digest] = s
	return s
}

// changed are the facts that are not among those before, and the objects that are gone.
func changed(before, now []order.Fact) []order.Fact {
	had := map[string]string{}
	for _, fact := range before {
		had[fact.Object] = fact.Values
	}
	var all []order.Fact
	for _, fact := range now {
		if values, ok := had[fact.Object]; !ok || values != fact.Values {
			all = append(all, fact)
		}
		delete(had, fact.Object)
	}
	for _, fact := range before {
		if _, gone := had[fact.Object]; gone {
			all = append(all, order.Fact{Object: fact.Object, Values: "gone"})
		}
	}
	return all
}

// end finds or adds an end.
func (g *Graph) end(report *child.Report) *End {
	what := report.End
	if len(report.Failures) > 0 {
		what = report.Failures[0].Name
	}
	key := report.Result + " " + what
	if g.ends[key] == nil {
		g.ends[key] = &End{Number: len(g.Ends), Result: report.Result, What: what}
		g.Ends = append(g.Ends, g.ends[key])
	}
	return g.ends[key]
}

// take notes a choice of the run of some choices, and reports whether it leads where it has led before.
func (g *Graph) take(from *State, chosen int, to Place, list []int) bool {
	if known := from.Next[chosen]; known != nil {
		return *known == to
	}
	from.Next[chosen], from.by[chosen] = &to, list
	g.Choices++
	return true
}

// Path is the way of a run from the first state to an end: the states, and where the last one leads to. A run of which a choice was not
// taken ends before.
func (g *Graph) Path(list []int) (states []*State, end *End) {
	seen := map[*State]bool{}
	for place := g.first(); place != nil && place.End == nil && !seen[place.State]; {
		s, chosen := place.State, 0
		if i := len(states); i < len(list) {
			chosen = list[i]
		}
		if chosen >= len(s.Next) {
			break
		}
		states, seen[s], place = append(states, s), true, s.Next[chosen]
		if place != nil {
			end = place.End
		}
	}
	return states, end
}

// first is where runs begin.
func (g *Graph) first() *Place {
	if len(g.States) == 0 {
		return nil
	}
	return &Place{State: g.States[0]}
}

// Differences say what happens in another order than by default in the run of some choices, in words.
func (g *Graph) Differences(list []int) (lines []string) {
	states, _ := g.Path(list)
	for i, chosen := range list {
		if chosen > 0 && i < len(states) {
			s := states[i]
			lines = append(lines, fmt.Sprintf("choice %d, at %s: %s comes before %s",
				i+1, trace.Seconds(s.At), Words(s.Open[chosen]), Words(s.Open[0])))
		}
	}
	return lines
}
