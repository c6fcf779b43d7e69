package sweep

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/kubestep/kubestep/scenarios/explore/place"
)

// inOrder are numbers of places in the order in which they run. Runs share the run without faults until their places if they come in the
// order of time (child.Job). A sweep with a budget tries what differs most first: it makes one such pass for the first place of each class,
// one for the second, one for the third and fourth, one for the next four, and so on.
func (s *Sweep) inOrder(numbers []int64) []int64 {
	if s.Places == nil || s.Pairs != nil {
		return numbers
	}
	pass := func(p *place.Place) int {
		if s.Budget == 0 {
			return 0
		}
		return bits.Len(uint(p.Turn))
	}
	slices.SortStableFunc(numbers, func(a, b int64) int {
		one, other := &s.Places[a-1], &s.Places[b-1]
		return cmp.Or(cmp.Compare(pass(one), pass(other)), cmp.Compare(place.Begin(one.Late), place.Begin(other.Late)))
	})
	return numbers
}
