package syncs

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/kubestep/kubestep/sim/observe/workqueue"
)

// A queue adds a key later, once for all delayed additions that were asked for until then, and it does not tell when. What was asked for
// stands for that, for those who compare states.

// delay is a delayed addition to a queue: by the sync of a key, at a virtual time.
type delay struct {
	key string
	at  time.Duration
	// by is the function that asked for it. One controller adds a key of a failed sync after milliseconds, and that of a Deployment with a
	// deadline after minutes.
	by string
	// failures is the place of an addition among those of its key that the rate limiter of the queue delays: the first one for 5
	// milliseconds, the second one for 10. It is 0 for others.
	failures int
}

// delays are the delayed additions to a queue that may be pending.
type delays struct {
	pending map[delay]bool
	// failures counts, for each key, the rate-limited additions of its latest syncs. A sync without one lets the queue forget the key.
	failures map[string]int
}

func newDelays() delays {
	return delays{pending: map[delay]bool{}, failures: map[string]int{}}
}

// note adds a delayed addition.
func (d *delays) note(one delay, limited bool) {
	if limited {
		d.failures[one.key]++
		one.failures = d.failures[one.key]
	}
	d.pending[one] = true
}

// ends brings the delays up to date when the sync of a key ends. A delayed addition that has added the key at a virtual time was the only
// one of the key that was pending then: a queue keeps the earliest.
func (d *delays) ends(key string, limited, byTimer bool, added time.Duration) {
	if !limited {
		delete(d.failures, key)
	}
	if !byTimer {
		return
	}
	maps.DeleteFunc(d.pending, func(one delay, _ bool) bool { return one.key == key && one.at < added })
}

// text lists what may be pending, and the failures.
func (d *delays) text() (lines []string) {
	for one := range d.pending {
		lines = append(lines, fmt.Sprint(one.key, " ", one.at, " ", one.by, " ", one.failures))
	}
	for key, failures := range d.failures {
		lines = append(lines, fmt.Sprint(key, " failed ", failures))
	}
	slices.Sort(lines)
	return lines
}

// noteDelay notes a delayed addition, of a sync or of a handler.
func (q *queue) noteDelay(s *Sync, at time.Duration) {
	if !q.observer.KeepDelays {
		return
	}
	by, limited := workqueue.Caller()
	d := delay{at: at, by: by}
	if s != nil {
		d.key = s.Key()
		s.limited = s.limited || limited
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.delays.note(d, limited)
}

// endDelays says that a sync has ended.
func (q *queue) endDelays(s *Sync) {
	if !q.observer.KeepDelays {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.delays.ends(s.Key(), s.limited, s.byTimer, s.due)
}
