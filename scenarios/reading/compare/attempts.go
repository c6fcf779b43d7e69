package compare

import (
	"slices"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// attempts are those of a controller at one thing: at a key of a work queue, whatever it sends for it and whichever fault makes it fail, or
// without a queue at a request for an object. They end when the controller has done it.
type attempts struct {
	// cause is the sync of the last one, and began is when it began. A controller may repeat a request at once before it requeues its key:
	// what one sync sends is one attempt.
	cause int64
	began time.Duration
	// gap is the time since the one before it, 0 if there is none.
	gap time.Duration
	// next is how long the controller waits after the last one, 0 if that is not known.
	next time.Duration
	// faulty means that a fault makes the last one fail, and queued that it is one at a key.
	faulty, queued bool
	// erred means that its sync ended with an error and queued the key again, so that the next attempt follows it, however late that is.
	// One without an error may only look again later, such as at the next time of a CronJob.
	erred bool
}

// longestBackOff is the one of DefaultTypedControllerRateLimiter in k8s.io/client-go/util/workqueue: no controller waits for longer.
const longestBackOff = 1000 * time.Second

// backOff is how long a controller waits after an attempt, if its back-off was seen to double or to stay, and before is the attempt before
// it. If the time between two attempts is about twice the time before that, so will the next one be; if it is about the same, or longer by
// less than that, the back-off has reached its maximum. Example: after attempts at 10s, 20s and 40s, the next one comes 40s later. If the
// attempt came sooner than the back-off after the one before it, something else was the reason, such as an event. A failure doubles the
// back-off all the same.
func (a attempts) backOff(before attempts) time.Duration {
	isAlike := a.gap > before.gap*9/10 && a.gap < before.gap*3/2
	switch {
	case before.gap == 0:
		return 0
	case isAlike && a.gap > shortWait:
		return a.gap
	case before.erred && a.gap < before.next*9/10:
		return min(2*before.next, longestBackOff)
	case isAlike:
		return a.gap
	case a.gap > before.gap:
		return min(2*a.gap, longestBackOff)
	}
	return 0
}

// attempted notes an attempt that a fault makes fail.
func (c *Course) attempted(record *trace.Record) {
	of, queued := c.syncs[record.Cause]
	if !queued {
		of = record.Actor + " " + record.Fault.Verb + " " + trace.ObjectName(record.Fault.Object)
	}
	before, again := c.attempts[of]
	if again && before.cause == record.Cause && before.cause != 0 {
		return
	}
	if again && !before.faulty && !c.recovers(record.At) {
		c.began(record.At, of)
	}
	next := c.attempt(of, attempts{cause: record.Cause, began: record.At, faulty: true, queued: queued})
	if next.gap == 0 {
		return
	}
	c.backOff = next.next
	if before.faulty {
		// Two faults in turn leave no time to do it, either.
		c.acting = append(c.acting, span{before.began, record.At})
	}
}

// attempt notes the next attempt at something.
func (c *Course) attempt(of string, next attempts) attempts {
	if last, again := c.attempts[of]; again && (last.erred || next.began-last.began <= retryGap) {
		next.gap = next.began - last.began
		next.next = next.backOff(last)
	}
	c.attempts[of] = next
	return next
}

// sync notes the key of a sync that begins, and whether one that ends is to be repeated: what makes the first attempts fail may be another
// thing than a fault, and the back-off grows all the same.
func (c *Course) sync(record *trace.Record) {
	sync := record.Sync
	if sync.Phase == trace.PhaseStart {
		of := record.Actor + " " + sync.Queue + " " + sync.Key
		c.syncs[record.Seq] = of
		if last, again := c.attempts[of]; again && !last.faulty && record.At-last.began > shortWait {
			c.waits = append(c.waits, wait{of, last.erred, span{last.began, record.At}})
		}
		return
	}
	of := c.syncs[sync.Start]
	delete(c.syncs, sync.Start)
	last, again := c.attempts[of]
	failed := again && last.cause == sync.Start
	switch {
	case of == "":
	case failed:
		last.erred = sync.Requeued && sync.Error != ""
		c.attempts[of] = last
	case sync.Requeued:
		c.attempt(of, attempts{cause: sync.Start, began: record.At - sync.Duration, erred: sync.Error != ""})
	case sync.Error == "":
		delete(c.attempts, of)
	}
}

// wait is the time between two attempts at a key, of which the first one queued it again.
type wait struct {
	of string
	// erred means that it failed.
	erred bool
	span
}

// shortWait is how long a key waits that has failed only a few times in a row, such as because of a conflict. The back-off doubles from
// 5 ms.
const shortWait = time.Second

// onset is a fault that applies to a run that may be as it is without faults.
type onset struct {
	at time.Duration
	// of is the key whose attempt it makes fail, after one that no fault made fail; empty for the first fault of a run, before which
	// nothing is otherwise, or nothing could be done: the first one of a process that a step ends is its restart.
	of string
	// settled is when the run had changed for the last time, and backOff is Course.backOff then.
	settled, backOff time.Duration
}

// began notes an onset.
func (c *Course) began(at time.Duration, of string) {
	c.onsets = append(c.onsets, onset{at, of, c.Settled, c.backOff})
}

// recovers reports whether something has not been tried again since a fault made its last attempt fail. What is not a key is given up
// after a while.
func (c *Course) recovers(now time.Duration) bool {
	for _, last := range c.attempts {
		if last.faulty && (last.queued || now-last.began <= retryGap) {
			return true
		}
	}
	return false
}

// wasAt reports whether what a fault found at its onset in another run was so in this run, too: the controller was to look at its key
// again. Example: a namespace that keeps something is tried again every 8 s without end. A fault that makes one of these attempts fail
// changes what the controller reports until the next one, whenever that is.
func (c *Course) wasAt(s onset) bool {
	last, again := c.attempts[s.of]
	return s.of == "" || again && !last.faulty && last.began <= s.at || slices.ContainsFunc(c.waits, func(w wait) bool {
		return w.of == s.of && w.from <= s.at && s.at <= w.to
	})
}

// lastWait is the wait that ended less than a minute before a change, of a key that also waited in another run; 0 if there is none. The
// other run has failures of its own then, such as those of a webhook that is down for ten minutes, or of a quota that is raised later.
// After a crash, the back-off starts over, and a slow network shifts it, so the next attempt may come later by the whole back-off. What
// made the other run's attempts fail was over at the end of its wait, and is over here later by the time for which the faults act, and the
// back-off after that: an attempt that fails later has failed because of the faults.
func (c *Course) lastWait(other *Course, change time.Duration) (length time.Duration) {
	later := c.acted() + c.backOff
	for _, w := range c.waits {
		also := w.erred && slices.ContainsFunc(other.waits, func(o wait) bool { return o.of == w.of && o.erred && w.from <= o.to+later })
		if also && w.to <= change && change-w.to <= lateAfter {
			length = max(length, w.to-w.from)
		}
	}
	return length
}
