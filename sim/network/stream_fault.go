package network

import (
	"net/http"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/trace"
)

// arrive delivers an event, unless a rule or an earlier event holds it: a stream keeps its order. No rule applies to
// bookmarks.
func (st *stream) arrive(a *arrival) {
	if !st.isOpen() || !a.isUpkeep() && st.applyFaults(a) {
		return
	}
	if len(st.queue) == 0 && st.isReady(a) {
		st.deliver(a)
		return
	}
	st.queue = append(st.queue, a)
	st.flushAt(a.notBefore)
}

// applyFaults applies the rules to an event, and reports whether the stream ends with it.
func (st *stream) applyFaults(a *arrival) bool {
	n := st.network
	for _, rule := range n.faults.set.Trigger(fault.Watches, n.Engine.Now(), st.subject(a.event)) {
		effect := rule.Effect
		if effect.Crash || effect.Disconnect || effect.Expire {
			st.cut(rule)
			return true
		}
		// Only the first event records that a rule holds the stream; later ones wait behind it.
		if !effect.Hold || !st.holds(rule) {
			a.faultSeq = st.recordFault(rule, a.event)
		}
		if effect.Hold {
			a.rule = rule
			continue
		}
		a.notBefore = n.Engine.Now() + n.Engine.Draw("fault|delay|"+rule.Name, effect.DelayMin, effect.DelayMax)
	}
	return false
}

// holds reports whether a rule already holds an event of the stream.
func (st *stream) holds(rule *fault.Rule) bool {
	return slices.ContainsFunc(st.queue, func(a *arrival) bool { return a.rule == rule })
}

func (st *stream) subject(event watch.Event) fault.Subject {
	resource, group := splitResource(st.object.Resource)
	subject := fault.Subject{
		Actor: st.actor(), Verb: string(event.Type), Resource: resource, Group: group,
		Object: func() runtime.Object { return event.Object },
	}
	if accessor, err := meta.Accessor(event.Object); err == nil {
		subject.Namespace, subject.Name = accessor.GetNamespace(), accessor.GetName()
	}
	return subject
}

func (st *stream) recordFault(rule *fault.Rule, event watch.Event) int64 {
	object := st.object
	if accessor, err := meta.Accessor(event.Object); err == nil {
		object.Namespace, object.Name = accessor.GetNamespace(), accessor.GetName()
	}
	return st.network.Recorder.Emit(&trace.Record{Kind: trace.KindFault, Actor: st.actor(), Fault: &trace.Fault{
		Rule: rule.Name, Effect: rule.Effect.String(), Verb: string(event.Type), Object: object,
	}})
}

// isReady reports whether nothing holds an event.
func (st *stream) isReady(a *arrival) bool {
	return (a.rule == nil || !a.rule.IsOngoing()) && a.notBefore <= st.network.Engine.Now()
}

// flushAt flushes the queue at a virtual time, or now if that has passed.
func (st *stream) flushAt(at time.Duration) {
	st.network.Engine.At(max(at, st.network.Engine.Now()), "watch|"+st.name+"|flush", st.flush)
}

// flush delivers the first event of the queue. The next one waits until the simulation is quiescent again.
func (st *stream) flush() {
	if len(st.queue) == 0 || !st.isReady(st.queue[0]) {
		return
	}
	head := st.queue[0]
	st.queue = st.queue[1:]
	st.deliver(head)
	if len(st.queue) > 0 {
		st.flushAt(st.queue[0].notBefore)
	}
}

// release releases the events that a rule held, and records their number.
func (st *stream) release(rule *fault.Rule, seq int64) {
	if rule.Effect.Coalesce {
		st.coalesce(rule)
	}
	for _, a := range st.queue {
		if a.rule == rule {
			a.faultSeq = seq
		}
	}
	if len(st.queue) > 0 {
		st.flushAt(engine.Past)
	}
}

// countHeld counts the events that a rule holds.
func (st *stream) countHeld(rule *fault.Rule) (n int) {
	for _, a := range st.queue {
		if a.rule == rule {
			n++
		}
	}
	return n
}

// coalesce keeps only the newest held event of each object. An object that was created and deleted in the meantime is
// dropped, and one that was deleted and created again under the same name appears as modified, although it is another
// object: that is what a client sees that lists instead of watching.
func (st *stream) coalesce(rule *fault.Rule) {
	type life struct{ first, last watch.EventType }
	lives, newest := map[string]*life{}, map[string]*arrival{}
	for _, a := range st.queue {
		if a.rule != rule {
			continue
		}
		key := st.subject(a.event).Namespace + "/" + st.subject(a.event).Name
		if lives[key] == nil {
			lives[key] = &life{first: a.event.Type}
		}
		lives[key].last, newest[key] = a.event.Type, a
	}
	st.queue = slices.DeleteFunc(st.queue, func(a *arrival) bool {
		key := st.subject(a.event).Namespace + "/" + st.subject(a.event).Name
		l := lives[key]
		if a.rule != rule {
			return false
		}
		if a != newest[key] || l.first == watch.Added && l.last == watch.Deleted {
			return true
		}
		switch {
		case l.last == watch.Deleted:
		case l.first == watch.Added:
			a.event.Type = watch.Added
		default:
			a.event.Type = watch.Modified
		}
		return false
	})
}

// cut ends the stream and discards its waiting events; a client that resumes the watch receives them again. After 410
// Expired the client lists again. The stream of a process that crashes ends with it.
func (st *stream) cut(rule *fault.Rule) {
	if rule.Effect.Crash {
		st.crash(rule)
		return
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.stopped {
		return
	}
	st.stopped = true
	st.source.Stop()
	st.network.Recorder.Emit(&trace.Record{Kind: trace.KindFault, Actor: st.actor(), Fault: &trace.Fault{
		Rule: rule.Name, Effect: rule.Effect.String(), Verb: "watch", Object: st.object, Count: len(st.queue),
	}})
	st.queue = nil
	if !rule.Effect.Expire {
		st.unread.end()
		return
	}
	st.unread.add(watch.Event{Type: watch.Error, Object: &metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusGone, Reason: metav1.StatusReasonExpired,
		Message: "too old resource version (" + rule.Name + ")",
	}})
}

// crash ends the process that watches, unless another stream has ended it at the same time.
func (st *stream) crash(rule *fault.Rule) {
	n := st.network
	if n.faults.crash == nil || !st.isOpen() {
		return
	}
	seq := n.Recorder.Emit(&trace.Record{Kind: trace.KindFault, Actor: st.actor(), Fault: &trace.Fault{
		Rule: rule.Name, Effect: rule.EffectText(), Verb: "watch", Object: st.object,
	}})
	n.faults.crash(st.actor(), rule, seq)
}
