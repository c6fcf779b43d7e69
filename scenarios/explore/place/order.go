package place

import (
	"slices"

	"github.com/kubestep/kubestep/sim/trace"
)

// class is what places have in common of which one tells most of what the others do: the same fault at another update of a status.
type class struct {
	fault string
	kind
}

// classOf is the class of a kind of fault at a write or event. The kubelets of all nodes, and the replicas of a component, are alike. An
// answer and an event that come in another order are like others of such a write, whichever of them is late.
func (l *Look) classOf(k *Kind, s spot) class {
	of := s.kind()
	if w, _, _, ok := l.pairOf(s); ok && k.pairs {
		of = w.kind
	}
	of.Actor, _ = trace.SplitActor(of.Actor)
	return class{k.Name, of}
}

// turns orders the members of a class, of which there are n: the first, the last, the one in the middle, those at a quarter, and so on.
// Example: the turns of 5 members are 0, 4, 2, 1, 3.
func turns(n int) []int {
	order := []int{0, n - 1}[:min(n, 2)]
	type gap struct{ from, to int }
	for gaps := []gap{{0, n - 1}}; len(gaps) > 0; gaps = gaps[1:] {
		g := gaps[0]
		if g.to-g.from < 2 {
			continue
		}
		middle := (g.from + g.to) / 2
		order = append(order, middle)
		gaps = append(gaps, gap{g.from, middle}, gap{middle, g.to})
	}
	return order
}

// inTurn orders places, which come by their kinds and times, so that each class has one before any has two.
func inTurn(places []Place, classes []class) []Place {
	members := map[class][]int{}
	for i, of := range classes {
		members[of] = append(members[of], i)
	}
	turn := make([]int, len(places))
	for _, of := range members {
		for nth, member := range turns(len(of)) {
			turn[of[member]] = nth
		}
	}
	var ordered [][]Place
	for i, p := range places {
		p.Turn = turn[i]
		for len(ordered) <= turn[i] {
			ordered = append(ordered, nil)
		}
		ordered[turn[i]] = append(ordered[turn[i]], p)
	}
	return slices.Concat(ordered...)
}
