package statespace_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/sweep"
	"github.com/kubestep/kubestep/scenarios/explore/sweep/orders"
	"github.com/kubestep/kubestep/scenarios/explore/sweep/orders/statespace"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/runner/order"
	"github.com/kubestep/kubestep/sim/engine"
)

// summary is that of a graph.
func summary(t *testing.T, name string, g *orders.Graph) *orders.Summary {
	t.Helper()
	store, err := sweep.Open("", sweep.Header{Name: name, File: name})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return &orders.Summary{Found: &orders.Found{Graph: g, Lists: map[int64][]int{}}, Results: store.Results()}
}

// grown is a graph of a default run with some choices, a new time every 30 of them, and other runs that leave a state of another one and
// join the default run further on.
func grown(seed uint64, choices, others int) *orders.Graph {
	g := &orders.Graph{Ends: []*orders.End{{Result: runner.Pass}}}
	draw := rand.New(rand.NewPCG(seed, 0))
	add := func(run int, before *orders.State, at time.Duration) *orders.State {
		s := &orders.State{
			Number: len(g.States), At: at, Before: before, Run: run, Next: make([]*orders.Place, 3),
			Open: []child.Open{{Kind: engine.OpenWatch, Name: "a"}, {Kind: engine.OpenAnswer, Name: "b"}, {Kind: engine.OpenAct, Name: "c"}},
		}
		g.States = append(g.States, s)
		return s
	}
	var spine []*orders.State
	for i := range choices {
		var before *orders.State
		if i > 0 {
			before = spine[i-1]
		}
		spine = append(spine, add(1, before, time.Duration(i/30)*time.Second))
		if i > 0 {
			before.Next[0] = &orders.Place{State: spine[i]}
		}
	}
	spine[choices-1].Next[0] = &orders.Place{End: g.Ends[0]}
	for run := range others {
		from := g.States[draw.IntN(len(g.States))]
		chosen := 1 + draw.IntN(2)
		for range draw.IntN(6) {
			if from.Next[chosen] != nil {
				break
			}
			s := add(run+2, from, from.At)
			from.Next[chosen] = &orders.Place{State: s}
			from, chosen = s, 0
		}
		if from.Next[chosen] == nil {
			from.Next[chosen] = &orders.Place{State: spine[draw.IntN(choices)]}
		}
	}
	return g
}

// circle is a state in a picture.
var circle = regexp.MustCompile(`<circle cx="([0-9.]+)" cy="([0-9.]+)" r="[0-9.]+" class="good"><title>`)

// TestStatesHaveTheirOwnPlaces draws small and large graphs: each state is in the picture once, and no two are at one place.
func TestStatesHaveTheirOwnPlaces(t *testing.T) {
	for seed := range uint64(20) {
		g := grown(seed, 1+int(seed*seed), int(seed)*40)
		svg := statespace.SVG(summary(t, "grown", g))
		var height float64
		if _, err := fmt.Sscanf(svg[strings.Index(svg, "viewBox"):], `viewBox="0 0 1240 %f"`, &height); err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		found := circle.FindAllStringSubmatch(svg, -1)
		for _, m := range found {
			x, _ := strconv.ParseFloat(m[1], 64)
			y, _ := strconv.ParseFloat(m[2], 64)
			if place := m[1] + " " + m[2]; seen[place] || x > 1240 || y > height {
				t.Errorf("seed %d: %s is taken, or outside of %f", seed, place, height)
			} else {
				seen[place] = true
			}
		}
		if want := len(g.States) + len(g.Ends); len(found) != want {
			t.Errorf("seed %d: %d of %d states and ends are in the picture", seed, len(found), want)
		}
		if lines := strings.Count(svg, `class="e`) - 3; lines != taken(g) {
			t.Errorf("seed %d: %d of %d choices are in the picture", seed, lines, taken(g))
		}
	}
}

// taken counts the choices of a graph.
func taken(g *orders.Graph) (n int) {
	for _, s := range g.States {
		for _, next := range s.Next {
			if next != nil {
				n++
			}
		}
	}
	return n
}

// TestTextsAreEscaped draws a scenario whose names are meant to be markup.
func TestTextsAreEscaped(t *testing.T) {
	const evil = "</title><script>alert(1)</script>\u202e\"'"
	g := grown(1, 3, 2)
	g.Ends[0].What = evil
	for _, s := range g.States {
		s.Open[0].Name, s.Changed = evil, []order.Fact{{Object: evil, Values: evil}}
	}
	for _, text := range []string{statespace.SVG(summary(t, evil, g)), statespace.Page(summary(t, evil, g))} {
		if strings.Contains(text, "<script") || strings.Contains(text, "\u202e") || strings.Contains(text, `"'`) {
			t.Errorf("a name is markup in\n%s", text)
		}
		if !strings.Contains(text, "&lt;script&gt;alert(1)") {
			t.Error("the name is not in the picture")
		}
	}
}

// TestWithoutChoices draws a run in which only one event could come next at any time.
func TestWithoutChoices(t *testing.T) {
	svg := statespace.SVG(summary(t, "plain", &orders.Graph{Ends: []*orders.End{{Result: runner.Pass}}}))
	if !strings.Contains(svg, ">pass</text>") {
		t.Error(svg)
	}
}
