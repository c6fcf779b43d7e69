package statespace

import (
	"fmt"

	"github.com/kubestep/kubestep/scenarios/explore/sweep/orders"
)

// edge is the line of a choice.
type edge struct {
	from   *orders.State
	chosen int
	to     *orders.Place
	// beside counts the lines before it that have the same two ends.
	beside int
}

// edges are the lines of all choices.
func (l *layout) edges() (all []edge) {
	for _, s := range l.States {
		had := map[orders.Place]int{}
		for chosen, next := range s.Next {
			if next != nil {
				all = append(all, edge{s, chosen, next, had[*next]})
				had[*next]++
			}
		}
	}
	return all
}

// begins reports whether the line leads to the first state that a run has found, which has a lane of its own.
func (e edge) begins() bool {
	return e.to.State != nil && e.to.State.Before == e.from && e.to.State.Run != e.from.Run
}

// line is the path of a line. One that leads into another row ends at the margin, and continues there.
func (d *drawing) line(e edge) string {
	from, to := d.states[e.from.Number], d.of(e.to)
	x1, y1 := d.at(from)
	x2, y2 := d.at(to)
	if one, other := d.row(from.column), d.row(to.column); one != other {
		lane := from.lane
		if e.begins() {
			lane = to.lane
		}
		out, in := d.y(one, lane), d.y(other, lane)
		return fmt.Sprintf("M%.1f %.1f%sH%.1f M%.1f %.1fH%.1f%s", x1, y1, d.bend(x1, y1, x1+d.step, out), d.right+stub,
			d.left-stub, in, x2-d.step, d.bend(x2-d.step, in, x2, y2))
	}
	begin := fmt.Sprintf("M%.1f %.1f", x1, y1)
	switch far := to.column - from.column; {
	case far == 0 && from.lane != to.lane:
		return begin + fmt.Sprintf("C%.1f %.1f %.1f %.1f %.1f %.1f", x1+d.step*aside, y1, x2+d.step*aside, y2, x2, y2)
	case far <= 0 || e.beside > 0 || far > 1 && from.lane == to.lane && e.isCrossed(d.layout):
		return begin + d.bow(x1, y1, x2, y2, e.beside)
	case from.lane == to.lane:
		return begin + fmt.Sprintf("H%.1f", x2)
	case e.begins():
		return begin + d.bend(x1, y1, x1+d.step, y2) + fmt.Sprintf("H%.1f", x2)
	case e.chosen == 0:
		return begin + fmt.Sprintf("H%.1f", x2-d.step) + d.bend(x2-d.step, y1, x2, y2)
	}
	return begin + d.bend(x1, y1, x2, y2)
}

// aside is how far a line between states of one column passes beside those that lie between, in columns.
const aside = .6

// isCrossed reports whether another state lies on the straight line.
func (e edge) isCrossed(l *layout) bool {
	from, to := l.states[e.from.Number], l.of(e.to)
	for _, at := range l.states {
		if at.lane == from.lane && from.column < at.column && at.column < to.column {
			return true
		}
	}
	return false
}

// bend is a curve that begins and ends level.
func (d *drawing) bend(x1, y1, x2, y2 float64) string {
	middle := (x1 + x2) / 2
	return fmt.Sprintf("C%.1f %.1f %.1f %.1f %.1f %.1f", middle, y1, middle, y2, x2, y2)
}

// bow is a curve that passes below what lies between. The further it goes and the more lines are beside it, the lower it is.
func (d *drawing) bow(x1, y1, x2, y2 float64, beside int) string {
	const share, most = .12, .85
	wide := max(x2-x1, x1-x2)
	deep := min(share*wide+d.lane*most/2, d.lane*most) * (1 + float64(beside)/2)
	return fmt.Sprintf("C%.1f %.1f %.1f %.1f %.1f %.1f", x1+(x2-x1)/4, y1+deep, x2-(x2-x1)/4, y2+deep, x2, y2)
}
