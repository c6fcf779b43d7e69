package recording

import (
	"testing"
	"time"
)

// TestAxisCutsLongWaits holds that a wait of half an hour leaves room for what happens within seconds, and that
// places and times belong together.
func TestAxisCutsLongWaits(t *testing.T) {
	var times []time.Duration
	for s := range 11 {
		times = append(times, time.Duration(s)*time.Second)
	}
	axis := newAxis(append(times, 30*time.Minute))
	if place := axis.Place(10 * time.Second); place < 0.75 || place > 0.9 {
		t.Errorf("the first ten seconds take %.2f of the axis", place)
	}
	for _, at := range []time.Duration{0, 2500 * time.Millisecond, 10 * time.Second, 30 * time.Minute} {
		got, cut := axis.Time(axis.Place(at))
		if diff := got - at; diff < -time.Millisecond || diff > time.Millisecond || cut != (at == 30*time.Minute) {
			t.Errorf("%s comes back as %s, cut %t", at, got, cut)
		}
	}
	if _, cut := axis.Time(0.95); !cut {
		t.Error("the long wait is not marked as cut")
	}
}

func TestAxisWithoutTimes(t *testing.T) {
	if got := newAxis(nil).Place(time.Second); got != 0 {
		t.Error(got)
	}
	if at, _ := newAxis([]time.Duration{time.Second}).Time(0.5); at != time.Second {
		t.Error(at)
	}
}
