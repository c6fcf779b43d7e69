package statespace

import "github.com/kubestep/kubestep/scenarios/explore/sweep/orders"

// lanes are which columns of a lane are taken, each from one on and up to another.
type lanes map[int][][2]int

// isFree reports whether a lane has room, with a column before and after.
func (l lanes) isFree(lane, from, to int) bool {
	for _, taken := range l[lane] {
		if from <= taken[1]+1 && taken[0] <= to+1 {
			return false
		}
	}
	return true
}

func (l lanes) take(lane, from, to int) { l[lane] = append(l[lane], [2]int{from, to}) }

// between are the first and the last lane that have something in a row.
func (l lanes) between(from, to int) (top, bottom int) {
	for lane, all := range l {
		for _, taken := range all {
			if taken[0] < to && from <= taken[1] {
				top, bottom = min(top, lane), max(bottom, lane)
			}
		}
	}
	return top, bottom
}

// nearest is the free lane that is nearest to another one, and not nearer to the default run than that.
func (l lanes) nearest(beside, from, to int, below bool) int {
	for distance := 1; ; distance++ {
		sides := []int{-distance, distance}
		switch {
		case beside < 0:
			sides = sides[:1]
		case beside > 0:
			sides = sides[1:]
		case below:
			sides[0], sides[1] = sides[1], sides[0]
		}
		for _, side := range sides {
			if l.isFree(beside+side, from, to) {
				return beside + side
			}
		}
	}
}

// placeLanes gives each run a lane of its own for the states that it has found, from where it leaves another line on, up to where it joins
// one again.
func (l *layout) placeLanes() {
	found := map[int][]*orders.State{}
	var runs []int
	for _, s := range l.States {
		if found[s.Run] == nil {
			runs = append(runs, s.Run)
		}
		found[s.Run] = append(found[s.Run], s)
	}
	for i, run := range runs {
		states := found[run]
		first, last := states[0], states[len(states)-1]
		from, to := l.states[first.Number].column, l.states[last.Number].column
		if next := last.Next[0]; next != nil && next.End != nil {
			to = l.columns - 1
		} else if next != nil {
			to = max(to, l.states[next.State.Number].column-1)
		}
		lane := 0
		if first.Before != nil {
			before := l.states[first.Before.Number]
			from = before.column + 1
			lane = l.lanes.nearest(before.lane, from, to, i%2 == 1)
		}
		l.lanes.take(lane, from, to)
		for _, s := range states {
			l.states[s.Number].lane = lane
		}
	}
}
