package invariant

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/verdict/liveness"
	"github.com/kubestep/kubestep/sim/trace"
)

const (
	// failuresMany is how many syncs of a key have to fail in a row before it counts as one that never succeeds.
	// Client-go waits 5 ms, and twice as long each time; the fifth failure is not a race any more.
	failuresMany = 5
	// idleMany is how many turns without a write make a busy loop.
	idleMany = 60
)

var convergence = Invariant{
	Name: "convergence",
	Sentence: "When a run ends, no key is retried repeatedly: none failed five times in a row, and none is synced repeatedly without " +
		"a write.",
	Forgives: "Periodic syncs of a controller, at most one in five seconds; anything before the end of a run; failures that a fault " +
		"causes which ends later, or since the last attempt; failures of a controller whose Pods, Jobs or claims exceed a ResourceQuota; and an autoscaler whose " +
		"status says what it waits for.",
	Upstream: "DefaultTypedControllerRateLimiter in client-go/util/workqueue/default_rate_limiters.go",
	watch:    func(r *Run) watcher { return &converges{run: r} },
}

type converges struct {
	passive
	run    *Run
	looked bool
}

func (v *converges) hasLooked() bool { return v.looked }

func (v *converges) record(record *trace.Record) {
	v.looked = v.looked || record.Sync != nil
}

func (v *converges) end() {
	for _, stuck := range v.run.Requeues() {
		if stuck.Failures > 0 && v.run.excuses(&stuck) {
			continue
		}
		if !stuck.Dropped && stuck.Failures >= failuresMany || stuck.Idle >= idleMany {
			v.run.breach(Breach{Message: stuck.String(), Requeue: &stuck, Hot: stuck.hot()})
		}
	}
}

// excuses reports whether a key may fail again and again: a fault that ends interferes; or the object waits, and a quota has no room for
// what it creates, or its controller does not look more often than after a success.
func (r *Run) excuses(key *Requeue) bool {
	steady := controllers.Of(key.Controller).Steady
	if key.excused || !key.denied && !steady {
		return key.excused
	}
	return slices.ContainsFunc(liveness.Find(r), func(f *liveness.Finding) bool {
		mine := f.Controller == key.Controller && f.Key() == key.Key
		return mine && (steady && f.Waits() || key.denied && liveness.IsOverQuota(r, f))
	})
}

// subject says which key it is, and what its controller does.
func (q Requeue) subject() string {
	key := q.Key
	if key == "" {
		key = "an unknown key"
	}
	does := "repeatedly syncs"
	if q.Dropped {
		does = "has dropped"
	}
	return fmt.Sprintf("%s %s %s of its queue %s", q.Controller, does, key, q.Queue)
}

// hot is what a controller does that syncs a key again and again without an error; nil if it fails, and so waits longer each time.
func (q *Requeue) hot() *Hot {
	if q.Idle < idleMany {
		return nil
	}
	last := duration(q.LastSeconds)
	hot := &Hot{
		Object: cmp.Or(q.Key, "an unknown key"), Controllers: []string{q.Controller}, Work: HotSyncs, Count: q.Idle,
		first: last - duration(q.IdleSeconds),
	}
	if resource := controllers.Of(q.Controller).Keys; resource != "" && q.Key != "" {
		namespace, name, namespaced := strings.Cut(q.Key, "/")
		if !namespaced {
			namespace, name = "", q.Key
		}
		hot.Object, hot.Resource = trace.ObjectName(trace.Object{Resource: resource, Namespace: namespace, Name: name}), resource
	}
	hot.until(last)
	return hot
}

// String says which key it is, and why.
func (q Requeue) String() string {
	who := q.subject()
	gap := duration(q.GapSeconds).Round(time.Millisecond)
	last := trace.Seconds(duration(q.LastSeconds))
	if q.Failures == 0 {
		return fmt.Sprintf("%s: %d syncs in a row wrote nothing, the last at %s, %s after the previous one", who, q.Idle, last, gap)
	}
	text := fmt.Sprintf("%s: %d failed in a row, the last at %s", who, q.Failures, last)
	if q.Failures > 1 {
		text += fmt.Sprintf(", %s after the previous one", gap)
	}
	return text + ": " + strings.Join(strings.Fields(q.Error), " ")
}
