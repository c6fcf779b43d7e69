package live

import "time"

const (
	// window is how long, in real time, it is observed how fast virtual time passes, and lostMax how much of that may be lost. A
	// simulation that catches up within a window is not slower than asked.
	window, lostMax = 5 * time.Second, time.Second
)

// observation notices that virtual time passes slower than its pace asks.
type observation struct {
	// real and virtual are where the window begins, and speed is that of the pace since then.
	real, virtual time.Duration
	speed         float64
	// slower is how many times slower virtual time passed in the last window; 0 if it kept its pace.
	slower float64
}

// note notes the virtual time at a real one. At the speed 0, nothing can be slower than asked.
func (o *observation) note(virtual, real time.Duration, speed float64) {
	if speed != o.speed {
		*o = observation{real, virtual, speed, 0}
		return
	}
	elapsed := real - o.real
	if speed == 0 || elapsed < window {
		return
	}
	passed := time.Duration(float64(virtual-o.virtual) / speed)
	*o = observation{real, virtual, speed, 0}
	if elapsed-passed > lostMax {
		// Time that stood still is as slow as if it had passed for a moment.
		o.slower = float64(elapsed) / float64(max(passed, time.Millisecond))
	}
}

// Slower is how many times slower than asked virtual time passes: 2 if it passes half as fast, 0 if it keeps its pace or has none. It
// is what the last seconds of real time were like.
func (d *Door) Slower() float64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.observed.slower
}

// observe looks at how fast virtual time passes. While somebody waits for it to pass as fast as possible, the pace asks nothing.
func (d *Door) observe() {
	d.mu.Lock()
	defer d.mu.Unlock()
	speed := d.pace.Speed
	if !d.started || len(d.moves) > 0 || d.stopping {
		speed = 0
	}
	d.observed.note(d.now, time.Duration(d.real.Load()), speed)
}
