package live

import "time"

// forever is later than any run ends.
const forever = time.Duration(1<<63 - 1)

const (
	// tick is how often a simulation that follows the real time looks at it.
	tick = 20 * time.Millisecond
	// lag is how far, in real time, a simulation may be behind the clock. If it has more to do than that, it does not
	// catch up.
	lag = time.Second
	// slice is how far virtual time passes between two looks at the door while the steps work on a write, and ahead how far
	// it may be ahead of the clock for that.
	slice, ahead = time.Millisecond, 100 * time.Millisecond
	// glance is how far virtual time passes between two looks at the door while it passes as fast as possible, unless
	// something happens before.
	glance = time.Second
	// patience is how long, in virtual time, a simulation that stands still runs for one write.
	patience = time.Minute
)

// Pace is how virtual time passes.
type Pace struct {
	// Speed is in virtual seconds per second. 0 means that time stands still unless somebody moves it.
	Speed float64
	// UntilQuiet makes virtual time pass after each write, as fast as possible, until nothing is due any more.
	UntilQuiet bool
}

// clock follows the real time. base and real are two simultaneous times, in virtual and in real time.
type clock struct {
	speed      float64
	base, real time.Duration
}

// target is the virtual time that it should be.
func (c *clock) target(now, real time.Duration) time.Duration {
	if c.speed == 0 {
		return now
	}
	due := c.base + time.Duration(float64(real-c.real)*c.speed)
	if behind := time.Duration(float64(lag) * c.speed); due-now > behind {
		c.set(now, real, c.speed)
		return now + time.Duration(float64(tick)*c.speed)
	}
	return due
}

// set makes the clock start at now.
func (c *clock) set(now, real time.Duration, speed float64) {
	c.base, c.real, c.speed = now, real, speed
}
