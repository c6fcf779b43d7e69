package place

import (
	"time"

	"k8s.io/client-go/tools/cache"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/sim/trace"
)

// A sync that has to act again later, such as at a deadline, asks for its key to be added to the work queue after a time. The key may come
// later than that, because machines are busy, but never earlier. The controllers of kube-controller-manager set no timer with a jitter,
// within which it could be early: those that have one are elections (leaderelection.JitterFactor), which have no keys, and the kubelet's.

// Timer is a delayed addition to a work queue.
type Timer struct {
	Actor string
	// Object is the one that the key names, as the sync reads it.
	Object trace.Object
	At     time.Duration

	key string
	// seq is its record.
	seq int64
	// nth is its position among those of the key that are set within a millisecond: a rule with a time counts from there.
	nth int
}

// String says which timer it is: requeue of cronjobs/backup at 12ms.
func (t *Timer) String() string {
	return "requeue of " + trace.ObjectName(t.Object) + " at " + notation.Text(Rounded(t.At))
}

// rule is a rule that applies when the sync sets the timer, without an effect.
func (t *Timer) rule() format.FaultRule {
	rule := format.FaultRule{
		Timer: &format.FaultTimer{Actor: t.Actor, Namespace: t.Object.Namespace, Name: t.Object.Name},
		At:    notation.NewDuration(Rounded(t.At)), Times: 1,
	}
	if t.nth > 1 {
		rule.Nth = t.nth
	}
	return rule
}

// set notes a timer of a sync. That of a handler is none of a key that the trace knows.
func (l *Look) set(record *trace.Record) {
	if record.Timer.Key == "" || !compare.Decides(record.Actor) || isUpstreamKubelet(record.Actor) {
		return
	}
	t := &Timer{Actor: record.Actor, At: record.At, key: record.Timer.Key, seq: record.Seq}
	t.nth = l.requeued.position(near{kind{t.Actor, "", "", ""}, trace.Object{Name: t.key}, Rounded(t.At)})
	l.timers[record.Cause] = append(l.timers[record.Cause], t)
}

// synced adds the timers of a sync that ends. Its reads say what its key names.
func (l *Look) synced(s *trace.Sync) {
	if s.Phase != trace.PhaseEnd {
		return
	}
	timers := l.timers[s.Start]
	delete(l.timers, s.Start)
	for _, t := range timers {
		for _, read := range s.Reads {
			name := cache.ObjectName{Namespace: read.Namespace, Name: read.Name}
			if read.Name != "" && name.String() == t.key {
				t.Object, l.seq = read.Object, t.seq
				l.add(spot{timer: t})
				break
			}
		}
	}
}
