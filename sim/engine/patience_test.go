package engine

import (
	"testing"
	"time"
)

// TestPatienceCountsOwnTime gives the watchdog what it sees of a process, tick by tick: a second of real time each.
func TestPatienceCountsOwnTime(t *testing.T) {
	const tick = time.Second
	waits := look{elapsed: tick}
	spins := look{elapsed: tick, processor: tick, busy: true}
	for _, test := range []struct {
		name  string
		looks []look
		want  time.Duration
	}{
		{"all goroutines wait", []look{waits, waits, waits}, 3 * tick},
		{"one spins", []look{spins, spins}, 2 * tick},
		{"one spins while two other threads collect garbage", []look{{elapsed: tick, processor: 3 * tick, busy: true}}, tick},
		{"stopped for an hour while all wait", []look{waits, {elapsed: time.Hour}, waits}, 3 * tick},
		{"stopped for an hour while one runs", []look{spins, {elapsed: time.Hour, processor: tick / 2, busy: true}}, tick + tick/2},
		{"seventy processes share a processor", []look{
			{elapsed: tick, processor: tick / 70, busy: true}, {elapsed: tick, processor: tick / 70, busy: true},
		}, 2 * (tick / 70)},
		{"the process waits for a processor, and late ticks come at once", []look{{elapsed: time.Minute}, {}, {}}, tick},
		{"progress", []look{waits, waits, {turns: 1, elapsed: tick}}, 0},
		{"progress, and then none", []look{waits, {turns: 1, elapsed: tick}, {turns: 1, elapsed: tick}}, tick},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := &patience{tick: tick}
			var got time.Duration
			for _, look := range test.looks {
				got = p.add(look)
			}
			if got != test.want {
				t.Errorf("%s without progress, want %s", got, test.want)
			}
		})
	}
}
