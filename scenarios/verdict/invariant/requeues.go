package invariant

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// Requeue is a key that a controller keeps retrying, or has stopped retrying after failures.
type Requeue struct {
	Controller string `json:"controller"`
	Queue      string `json:"queue"`
	// Key is empty if it is unknown.
	Key string `json:"key,omitempty"`
	// Failures is how many consecutive syncs failed, the last one at LastSeconds with Error; GapSeconds is the time
	// between the starts of the last two: the back-off.
	Failures    int     `json:"failures"`
	LastSeconds float64 `json:"lastSeconds"`
	GapSeconds  float64 `json:"gapSeconds"`
	Error       string  `json:"error"`
	// Idle is how many consecutive syncs requeued the key without an error or a write, in IdleSeconds.
	Idle        int     `json:"idle,omitempty"`
	IdleSeconds float64 `json:"idleSeconds,omitempty"`
	// Dropped means that the controller does not retry the key any more.
	Dropped bool `json:"dropped,omitempty"`
	// denied and excused are those of turns.
	denied, excused bool
}

// requeues follows every key of every work queue.
type requeues struct {
	world World
	keys  map[queued]*turns
	// begun are the syncs that have not ended, by the number of their first record.
	begun map[int64]*begunSync
	// interrupted are the keys of syncs that ended with their process, by the same number: requests that they have sent arrive later.
	interrupted map[int64]string
	// forbidding are the faults that answer a request with 403 Forbidden, by their records.
	forbidding map[int64]bool
}

// begunSync is a sync that has not ended: when it began, and its last request that failed.
type begunSync struct {
	at      time.Duration
	key     string
	refused string
	// denied means that the request is forbidden, and not by a fault: a quota, an admission plugin or a webhook decides so.
	denied bool
}

// queued is a key in a queue.
type queued struct{ actor, queue, key string }

// turns are the results of the last syncs of a key.
type turns struct {
	// failures and idle count the last syncs, back to the last one that was otherwise.
	failures, idle int
	// last, before and earlier are when the last three of them began.
	last, before, earlier time.Duration
	// idleFrom is when the first of the idle syncs began.
	idleFrom time.Duration
	err      string
	// pending means that the last sync requeued the key. A key that failed and is not pending is dropped: nothing
	// retries it before the next event of its objects.
	pending bool
	// denied means that the last sync failed since a request was forbidden, and nothing that it wrote means that it wrote nothing.
	denied, nothing bool
}

func newRequeues(world World) *requeues {
	return &requeues{
		world: world, keys: map[queued]*turns{}, begun: map[int64]*begunSync{}, interrupted: map[int64]string{},
		forbidding: map[int64]bool{},
	}
}

func (r *requeues) record(record *trace.Record) {
	switch s := record.Sync; {
	case record.Fault != nil && record.Fault.Effect == trace.EffectRestart:
		r.forget(record.Actor)
	case record.Fault != nil:
		if record.Fault.Refuses(http.StatusForbidden) {
			r.forbidding[record.Seq] = true
		}
	case record.Request != nil:
		if sync := r.begun[record.Cause]; sync != nil && record.Request.Code >= http.StatusBadRequest {
			sync.denied = record.Request.Code == http.StatusForbidden && !r.forbidding[record.FaultSeq]
			sync.refused = fmt.Sprintf("%s %s: %s", record.Request.Verb, trace.ObjectName(record.Request.Object), record.Request.Message)
		}
	case s == nil:
	case s.Phase == trace.PhaseStart:
		r.begun[record.Seq] = &begunSync{at: record.At, key: s.Key}
	default:
		if s.IsInterrupted() {
			r.interrupted[s.Start] = s.Key
		}
		r.ended(queued{record.Actor, s.Queue, s.Key}, s)
	}
}

// keyOf is the key of the sync that made a request; empty if it is not known.
func (r *requeues) keyOf(request *trace.Record) string {
	if sync := r.begun[request.Cause]; sync != nil {
		return sync.key
	}
	return r.interrupted[request.Cause]
}

// forget drops the keys of a process that starts again: its queues are gone.
func (r *requeues) forget(process string) {
	for key := range r.keys {
		if name, _ := r.world.Process(key.actor); name == process {
			delete(r.keys, key)
		}
	}
}

// busyGap is the longest pause between two turns of a key that counts as a busy loop. Upstream's own clocks
// are slower: the HorizontalPodAutoscaler's is the fastest, every 15 s.
const busyGap = 5 * time.Second

func (r *requeues) ended(key queued, s *trace.Sync) {
	t := r.keys[key]
	if t == nil {
		t = &turns{}
		r.keys[key] = t
	}
	begun := r.begun[s.Start]
	delete(r.begun, s.Start)
	if begun == nil {
		begun = &begunSync{}
	}
	t.earlier, t.before, t.last = t.before, t.last, begun.at
	t.pending = s.Requeued
	err := s.Error
	if err == "" && s.Requeued && s.Writes == 0 {
		// Some controllers report their errors in a log line or an Event only, such as endpointslice-controller.
		err = begun.refused
	}
	t.denied, t.nothing = begun.denied && err != "", s.Writes == 0
	if t.err = err; err != "" {
		t.failures++
	} else {
		t.failures = 0
	}
	if err == "" && s.Requeued && s.Writes == 0 && (t.idle == 0 || t.last-t.before <= busyGap) {
		if t.idle++; t.idle == 1 {
			t.idleFrom = t.last
		}
	} else {
		t.idle = 0
	}
}

// wasRetried reports whether an unknown key must have had its next sync, by the name of a key that is known: the
// back-off doubles at most. A job that failed at 126s, a minute after the time before, has its next turn by 246s.
func (t *turns) wasRetried(now time.Duration) bool { return now > t.last+2*(t.last-t.before)+busyGap }

// stuck lists the keys that wait for another try after an error, those that were dropped, and those that turn idly, most
// failures first.
func (r *requeues) stuck() []Requeue {
	var found []Requeue
	for key, t := range r.keys {
		_, works := r.world.Process(key.actor)
		dropped := !t.pending && t.failures >= failuresMany && key.key != ""
		if !works || !t.pending && !dropped || t.failures == 0 && t.idle < idleMany || key.key == "" && t.wasRetried(r.world.Now()) {
			continue
		}
		idle := 0.0
		if t.idle > 0 {
			idle = (t.last - t.idleFrom).Seconds()
		}
		found = append(found, Requeue{
			Controller: key.actor, Queue: key.queue, Key: key.key, Failures: t.failures, Idle: t.idle, IdleSeconds: idle, Error: t.err,
			Dropped: dropped,
			denied:  t.denied, excused: t.failures > 0 && r.isFaulted(key.actor, t),
			LastSeconds: t.last.Seconds(), GapSeconds: (t.last - t.before).Seconds(),
		})
	}
	slices.SortFunc(found, func(a, b Requeue) int {
		return cmp.Or(cmp.Compare(b.Failures, a.Failures), cmp.Compare(b.Idle, a.Idle), cmp.Compare(a.Controller, b.Controller),
			cmp.Compare(a.Queue, b.Queue), cmp.Compare(a.Key, b.Key))
	})
	return found
}

// backOffMax is the longest time after a failure for which nothing is said about its key: twice the longest one, 82 s, between the 15
// retries after which most controllers drop a key. A longer back-off is to be noticed.
const backOffMax = 164 * time.Second

// isFaulted reports whether a fault that ends is why a key fails: one that may apply again, or one that is over since the last turn, so
// that the next one is still to come.
func (r *requeues) isFaulted(actor string, t *turns) bool {
	now := r.world.Now()
	isDue := t.wasRetried(now) || now-t.last > backOffMax
	return r.world.Interferes(actor, t.last) || t.pending && !isDue && r.world.Interfered(actor, t.last)
}

// isWaiting reports whether a controller that runs has set a timer to look at a key again.
func (r *requeues) isWaiting() bool {
	for key, t := range r.keys {
		if _, works := r.world.Process(key.actor); works && t.pending {
			return true
		}
	}
	return false
}

// Await is a key that a controller looks at again at a time that it has asked for: a deadline, the end of minReadySeconds.
type Await struct{ Controller, Key string }

// awaits lists the keys that controllers that run look at again, but for those that failed. One that has had three turns since a time is
// left out: the first may have heard of what happened then, and the second may come of an earlier timer. What the third comes of was asked
// for after it, and so the time is over.
func (r *requeues) awaits(since time.Duration) (found []Await) {
	for key, t := range r.keys {
		if _, works := r.world.Process(key.actor); works && key.key != "" && t.pending && t.failures == 0 && t.earlier <= since {
			controller, _ := trace.SplitActor(key.actor)
			found = append(found, Await{controller, key.key})
		}
	}
	slices.SortFunc(found, func(a, b Await) int {
		return cmp.Or(cmp.Compare(a.Controller, b.Controller), cmp.Compare(a.Key, b.Key))
	})
	return found
}

// of returns the turns of a key in one of a controller's queues, or nil.
func (r *requeues) of(controller, key string) *turns {
	var found *turns
	for queued, t := range r.keys {
		if queued.actor == controller && queued.key == key && (found == nil || t.last > found.last) {
			found = t
		}
	}
	return found
}
