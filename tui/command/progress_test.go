package command

import (
	"testing"
	"time"
)

// TestProgress: a budget ends a sweep before its last run, and an enumeration finds out what is left while it is under way.
func TestProgress(t *testing.T) {
	free := progress{done: 26, left: 174, elapsed: 2 * time.Second}
	bounded := free
	bounded.spent, bounded.budget = 2900*time.Millisecond, 5*time.Second
	for _, test := range []struct{ got, want string }{
		{sweepProgress(free, 4, "place"), "26 of 200 places, 4 failed, 13.0 per second, done in 13s"},
		{sweepProgress(bounded, 4, "place"), "26 of 200 places, 4 failed, 13.0 per second, 2.9s of the budget of 5s"},
		{sweepProgress(progress{left: 1, elapsed: time.Second}, 0, "seed"), "0 of 1 seed, 0 failed, 0.0 per second"},
		{ordersProgress(free, true), "26 runs, at least 174 left, 13.0 per second, done in 13s at the earliest"},
		{ordersProgress(free, false), "26 runs, 174 left, 13.0 per second, done in 13s"},
		{ordersProgress(bounded, true), "26 runs, at least 174 left, 13.0 per second, 2.9s of the budget of 5s"},
		{ordersProgress(progress{left: 1, elapsed: time.Second}, true), "0 runs, at least 1 left, 0.0 per second"},
	} {
		if test.got != test.want {
			t.Errorf("%s\nwant %s", test.got, test.want)
		}
	}
}
