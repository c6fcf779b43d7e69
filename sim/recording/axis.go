package recording

import (
	"slices"
	"sort"
	"time"
)

// Axis is a time scale that shortens long waits: otherwise a rollout of ten seconds in a run of half an hour would be
// one cell of a bar. It keeps the order of times, but not their distances.
type Axis struct {
	// at are the times at which something happened, and place their positions on the axis.
	at    []time.Duration
	place []float64
	// longest is the maximum that a wait counts.
	longest time.Duration
}

// longestPart is the part of the axis that the longest wait may take.
const longestPart = 0.2

// newAxis returns the axis of sorted times.
func newAxis(times []time.Duration) *Axis {
	times = slices.Compact(slices.Clone(times))
	axis := &Axis{at: times}
	if len(times) < 2 {
		return axis
	}
	part := max(longestPart, 1.5/float64(len(times)-1))
	axis.longest = times[len(times)-1] - times[0]
	// Shortening waits shortens the whole axis, of which the longest wait is a part: this converges after some rounds.
	for range 40 {
		axis.longest = min(axis.longest, time.Duration(part*float64(axis.sum())))
	}
	whole, so := float64(max(axis.sum(), 1)), 0.0
	axis.place = append(axis.place, 0)
	for i := 1; i < len(times); i++ {
		so += float64(min(times[i]-times[i-1], axis.longest))
		axis.place = append(axis.place, so/whole)
	}
	return axis
}

func (a *Axis) sum() time.Duration {
	var sum time.Duration
	for i := 1; i < len(a.at); i++ {
		sum += min(a.at[i]-a.at[i-1], a.longest)
	}
	return sum
}

// Place is the position of a time on the axis, from 0 to 1.
func (a *Axis) Place(at time.Duration) float64 {
	if len(a.place) == 0 || at <= a.at[0] {
		return 0
	}
	i := sort.Search(len(a.at), func(i int) bool { return a.at[i] >= at })
	if i == len(a.at) {
		return 1
	}
	part := float64(at-a.at[i-1]) / float64(a.at[i]-a.at[i-1])
	return a.place[i-1] + part*(a.place[i]-a.place[i-1])
}

// Time is the time at a position from 0 to 1, and whether that is within a shortened wait.
func (a *Axis) Time(place float64) (at time.Duration, cut bool) {
	if len(a.place) == 0 {
		if len(a.at) > 0 {
			return a.at[0], false
		}
		return 0, false
	}
	i := sort.SearchFloat64s(a.place, min(max(place, 0), 1))
	if i == 0 {
		return a.at[0], false
	}
	i = min(i, len(a.at)-1)
	gap, width := a.at[i]-a.at[i-1], a.place[i]-a.place[i-1]
	if width <= 0 {
		return a.at[i], false
	}
	return a.at[i-1] + time.Duration(float64(gap)*(place-a.place[i-1])/width), gap > 3*a.longest/2
}
