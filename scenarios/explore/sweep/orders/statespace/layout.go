package statespace

import (
	"maps"
	"slices"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/sweep/orders"
)

// place is where a state or an end is: a column, which is how far its run is, and a lane, which is 0 for the default run.
type place struct{ column, lane int }

// band are the columns of the states of one time.
type band struct {
	at       time.Duration
	from, to int
}

// row are the columns that are drawn side by side, from one on and up to another, without it, and their lanes.
type row struct{ from, to, top, bottom int }

// layout is where everything is.
type layout struct {
	*orders.Graph
	// states and ends are by their numbers.
	states, ends []place
	bands        []band
	rows         []row
	columns      int
	lanes        lanes
}

// newLayout places the states of a graph, with so many columns in a row at most.
func newLayout(g *orders.Graph, capacity int) *layout {
	l := &layout{Graph: g, states: make([]place, len(g.States)), ends: make([]place, len(g.Ends)), lanes: lanes{}}
	l.placeColumns()
	l.placeLanes()
	l.placeEnds()
	l.divide(capacity)
	return l
}

// placeColumns gives each state a column: those of one time are side by side, in the order of how many choices a run has made at that
// time before. With two choices at 0s and three at 5s, the default run has the columns 0 and 1, and 2 to 4.
func (l *layout) placeColumns() {
	wide := map[time.Duration]int{}
	for i, s := range l.States {
		if s.Before != nil && s.Before.At == s.At {
			l.states[i].column = l.states[s.Before.Number].column + 1
		}
		wide[s.At] = max(wide[s.At], l.states[i].column+1)
	}
	first := map[time.Duration]int{}
	for _, at := range slices.Sorted(maps.Keys(wide)) {
		first[at] = l.columns
		l.columns += wide[at]
		l.bands = append(l.bands, band{at, first[at], l.columns})
	}
	for i, s := range l.States {
		l.states[i].column += first[s.At]
	}
	// The ends have the last one.
	l.columns++
}

// placeEnds puts the end of the default run at the end of its line, and the others below each other.
func (l *layout) placeEnds() {
	_, ordinary := l.Path(nil)
	lane := 0
	for i, end := range l.Ends {
		l.ends[i].column = l.columns - 1
		if end != ordinary {
			lane += 2
			l.ends[i].lane = lane
			l.lanes.take(lane, l.columns-1, l.columns)
		}
	}
}

// divide makes rows, which begin with a new time where possible.
func (l *layout) divide(capacity int) {
	from := 0
	add := func(to int) {
		l.rows = append(l.rows, row{from: from, to: to})
		from = to
	}
	for i, b := range l.bands {
		if i == len(l.bands)-1 {
			b.to = l.columns
		}
		if b.to-from > capacity && b.from > from {
			add(b.from)
		}
		for b.to-from > capacity {
			add(from + capacity)
		}
	}
	if from < l.columns {
		add(l.columns)
	}
	for i := range l.rows {
		l.rows[i].top, l.rows[i].bottom = l.lanes.between(l.rows[i].from, l.rows[i].to)
	}
}

// row is the number of the row of a column.
func (l *layout) row(column int) int {
	return slices.IndexFunc(l.rows, func(r row) bool { return column < r.to })
}

// of is where a choice leads to.
func (l *layout) of(to *orders.Place) place {
	if to.End != nil {
		return l.ends[to.End.Number]
	}
	return l.states[to.State.Number]
}

// fails reports for each state whether the run fails that continues from there with the default order.
func (l *layout) fails() []bool {
	failing := make([]bool, len(l.States))
	known := make([]bool, len(l.States))
	for i := range l.States {
		var way []int
		for s := l.States[i]; s != nil && !known[s.Number]; {
			known[s.Number] = true
			way = append(way, s.Number)
			next := s.Next[0]
			switch {
			case next == nil:
				s = nil
			case next.End != nil:
				failing[way[len(way)-1]] = next.End.Failed()
				s = nil
			default:
				failing[way[len(way)-1]] = failing[next.State.Number]
				s = next.State
			}
		}
		// What is known of the last one is so of all before it.
		for i := len(way) - 2; i >= 0; i-- {
			failing[way[i]] = failing[way[i+1]]
		}
	}
	return failing
}
