package sweep

import (
	"fmt"

	"github.com/kubestep/kubestep/scenarios/explore/place"
	"github.com/kubestep/kubestep/sim/trace"
)

// Classes say how far a sweep over places is. A class is one kind of fault at one kind of write or event, and its places take turns.
type Classes struct {
	// All is how many classes there are, and Ran how many of them have had a place that ran.
	All, Ran int
	// Each is how many places of each class have run; classes with fewer places than that have run as a whole.
	Each int
}

// ClassesOf counts the classes of places, which have the numbers from 1, by whether they have run.
func ClassesOf(places []place.Place, ran func(number int64) bool) (c Classes) {
	// missing is the first turn in which a place did not run.
	missing := len(places)
	for i, p := range places {
		first := p.Turn == 0
		if first {
			c.All++
		}
		if !ran(int64(i + 1)) {
			missing = min(missing, p.Turn)
		} else if first {
			c.Ran++
		}
	}
	for _, p := range places {
		if p.Turn < missing {
			c.Each = max(c.Each, p.Turn+1)
		}
	}
	return c
}

// String says what has run: in 44 of 96 classes, or the first 4 of each of 96 classes.
func (c Classes) String() string {
	if c.Each == 0 {
		return fmt.Sprintf("in %d of %s", c.Ran, trace.Count(c.All, "class"))
	}
	return fmt.Sprintf("the first %d of each of %s", c.Each, trace.Count(c.All, "class"))
}
