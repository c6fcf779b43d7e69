package live

import (
	"slices"
	"time"
)

// Await implements engine.Outside.
func (d *Door) Await(now time.Duration) (until time.Duration) {
	for {
		until, wait := d.decide(now)
		if !wait {
			return until
		}
		d.engine.Alive()
		<-d.knock // made outside: virtual time stands still
	}
}

// decide runs what waits at the door and decides how far time may pass. wait means that it must not pass now.
func (d *Door) decide(now time.Duration) (until time.Duration, wait bool) {
	d.mu.Lock()
	d.now = now
	if d.open && !d.started {
		d.started, d.last = true, now.Truncate(time.Millisecond)
		d.clock.set(now, time.Duration(d.real.Load()), d.pace.Speed)
	}
	for len(d.looks) > 0 {
		l := d.looks[0]
		d.looks = d.looks[1:]
		d.mu.Unlock()
		l.do()
		close(l.done)
		d.mu.Lock()
	}
	defer d.mu.Unlock()
	switch {
	case d.busy:
		return d.during(now)
	case d.stopping:
		// In a file, the end is a whole millisecond, and after the last step.
		end := (now + time.Millisecond - 1).Truncate(time.Millisecond)
		if d.open {
			end = max(end, d.last+time.Millisecond)
		}
		if end > now {
			return end, false
		}
		d.engine.Stop()
		return now, false
	case !d.open:
		return forever, false
	}
	if at, ok := d.hand(now); ok {
		return at, false
	}
	if to := d.moveTo(now); to > now {
		return to, false
	}
	return d.follow(now)
}

// hand hands the first write that is ready to the steps, and returns its time. ok is false if there is none.
func (d *Door) hand(now time.Duration) (at time.Duration, ok bool) {
	for len(d.writes) > 0 {
		w := d.writes[0]
		d.writes = d.writes[1:]
		d.mu.Unlock()
		ready := w.ready()
		d.mu.Lock()
		if !ready {
			close(w.done)
			continue
		}
		d.busy, d.until = true, now+patience
		// The next whole millisecond is a time that a file can say.
		w.at = now.Truncate(time.Millisecond) + time.Millisecond
		d.last = w.at
		d.steps <- w
		return w.at, true
	}
	return now, false
}

// during lets time pass while the steps work on a write: at the clock's pace, but not slower than a client would have to
// wait for its answer.
func (d *Door) during(now time.Duration) (until time.Duration, wait bool) {
	target := d.clock.target(now, time.Duration(d.real.Load()))
	switch {
	case d.pace.Speed == 0 && now >= d.until:
		return d.follow(now)
	case d.pace.Speed > 0 && now-target > ahead:
		return d.follow(now)
	}
	return now + slice, false
}

// moveTo is the time to which somebody wants time to pass as fast as possible; now if nobody does.
func (d *Door) moveTo(now time.Duration) time.Duration {
	moves, settling := slices.Clone(d.moves), d.pace.UntilQuiet && d.unsettled
	d.mu.Unlock()
	var arrived []*move
	for _, m := range moves {
		if m.reached != nil && m.reached() || now >= m.to {
			arrived = append(arrived, m)
			close(m.done)
		}
	}
	settling = settling && !d.quiet()
	d.mu.Lock()
	d.moves = slices.DeleteFunc(d.moves, func(m *move) bool { return slices.Contains(arrived, m) })
	d.unsettled = settling
	to := now
	for _, m := range d.moves {
		to = max(to, min(m.to, now+glance))
	}
	if settling {
		to = max(to, now+glance)
	}
	if to > now {
		d.clock.set(now, time.Duration(d.real.Load()), d.pace.Speed)
	}
	return to
}

// follow lets time pass as far as the clock is.
func (d *Door) follow(now time.Duration) (until time.Duration, wait bool) {
	target := d.clock.target(now, time.Duration(d.real.Load()))
	return target, target <= now
}
