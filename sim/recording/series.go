package recording

import (
	"cmp"
	"slices"
	"time"
)

// Point is the state of a workload from a time on.
type Point struct {
	At               time.Duration
	Total, Available int
}

// series adds up the contributions of the Pods.
func (w *Workload) series() []Point {
	var changes []Point
	owners := []*life{w.life}
	if w.Kind == "Deployment" {
		owners = w.life.owned.list
	}
	for _, owner := range owners {
		for _, pod := range owner.owned.list {
			changes = append(changes, pod.contribution(owner.uid, owner.minReady)...)
		}
	}
	slices.SortStableFunc(changes, func(a, b Point) int { return cmp.Compare(a.At, b.At) })
	var out []Point
	total, available := 0, 0
	for _, c := range changes {
		total, available = total+c.Total, available+c.Available
		if n := len(out); n > 0 && out[n-1].At == c.At {
			out[n-1] = Point{c.At, total, available}
			continue
		}
		out = append(out, Point{c.At, total, available})
	}
	return out
}

// contribution lists the changes that a Pod makes to its owner's counts, with their times.
func (l *life) contribution(owner string, wait time.Duration) []Point {
	var changes []Point
	total, available := 0, 0
	to := func(at time.Duration, t, a int) {
		if t != total || a != available {
			changes = append(changes, Point{at, t - total, a - available})
			total, available = t, a
		}
	}
	for i := range l.states {
		s := &l.states[i]
		switch {
		case s.Owner != owner || s.Terminating || s.Phase == "Failed" || s.Phase == "Succeeded":
			to(s.at, 0, 0)
		case !s.Ready:
			to(s.at, 1, 0)
		case wait == 0 || s.at-s.since >= wait:
			to(s.at, 1, 1)
		default:
			to(s.at, 1, 0)
			if next, ends := l.until(i); !ends || next > s.since+wait {
				to(s.since+wait, 1, 1)
			}
		}
	}
	// A Pod that does not run on a node is deleted at once, without having been marked before.
	if l.gone != 0 && len(l.states) > 0 {
		to(l.ended, 0, 0)
	}
	return changes
}

// until is when a state of a Pod ends, and whether it does.
func (l *life) until(state int) (at time.Duration, ends bool) {
	if state+1 < len(l.states) {
		return l.states[state+1].at, true
	}
	return l.ended, l.gone != 0
}

// PointAt is the workload's state at a time.
func (w *Workload) PointAt(at time.Duration) Point {
	i, _ := slices.BinarySearchFunc(w.Series, at+1, func(p Point, at time.Duration) int { return compare(p.At, at) })
	if i == 0 {
		return Point{}
	}
	return w.Series[i-1]
}
