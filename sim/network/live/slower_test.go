package live

import (
	"testing"
	"time"
)

// TestSlowerThanAsked observes simulations that get so much of each second done. No time passes in the test.
func TestSlowerThanAsked(t *testing.T) {
	for _, test := range []struct {
		name  string
		speed float64
		// passes is how much virtual time passes in each second of real time.
		passes []time.Duration
		want   []float64
	}{
		{"keeps its pace", 1, seconds(1, 15), []float64{0, 0, 0}},
		{"half as fast", 1, seconds(0.5, 10), []float64{2, 2}},
		{"a tenth of a minute in a second", 60, seconds(6, 10), []float64{10, 10}},
		{"a second is lost and made up for", 1, append(seconds(0, 1), seconds(1, 4)...), []float64{0}},
		{"two seconds are lost", 1, append(seconds(0, 2), seconds(1, 8)...), []float64{5. / 3, 0}},
		{"stands still", 1, seconds(0, 5), []float64{5000}},
		{"paused", 0, seconds(0, 10), []float64{0, 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var o observation
			var real, virtual time.Duration
			o.note(virtual, real, test.speed)
			for i, passes := range test.passes {
				real, virtual = real+time.Second, virtual+passes
				o.note(virtual, real, test.speed)
				if at := i + 1; at%5 == 0 && o.slower != test.want[at/5-1] {
					t.Errorf("after %s: %v times slower, want %v", real, o.slower, test.want[at/5-1])
				}
			}
		})
	}
}

// TestAnotherSpeedIsObservedAnew: what was slow at one speed says nothing about another.
func TestAnotherSpeedIsObservedAnew(t *testing.T) {
	o := observation{speed: 60, slower: 4}
	o.note(time.Minute, time.Hour, 1)
	if o.slower != 0 {
		t.Errorf("%v times slower", o.slower)
	}
	o.note(time.Minute+5*time.Second, time.Hour+5*time.Second, 1)
	if o.slower != 0 {
		t.Errorf("%v times slower in a window in which it kept its pace", o.slower)
	}
}

// seconds are so many seconds of real time in each of which virtual time passes for some seconds.
func seconds(virtual float64, count int) []time.Duration {
	out := make([]time.Duration, count)
	for i := range out {
		out[i] = time.Duration(virtual * float64(time.Second))
	}
	return out
}
