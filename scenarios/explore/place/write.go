package place

import (
	"fmt"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/trace"
)

// Write is a write request of a controller.
type Write struct {
	kind
	Object trace.Object
	// Nth is its position among the requests of its kind, from 1.
	Nth int
	// At is when the server executed it.
	At time.Duration

	// seq is its record, and rv the resourceVersion of the one object that it wrote; 0 if it wrote none or several.
	seq int64
	rv  uint64
	// again is its position among the requests of its kind for the object.
	again int
	// since is from when on Nth and again count; 0 means from the start.
	since time.Duration
	// near and nearAgain are its positions if they count from the millisecond on in which it is executed.
	near, nearAgain int
}

// kind is what the requests of a controller, or the events of an informer, have in common that a rule counts.
type kind struct{ Actor, Verb, Resource, Subresource string }

// String says which write it is: create of configmaps/web at 12ms (create configmaps 3), the third creation of a configmap.
func (w *Write) String() string {
	return w.where(w.Object, w.At, w.Nth, w.since)
}

// where says which one of a kind is about an object at a time: create of configmaps/web at 12ms (create configmaps 3).
func (k kind) where(object trace.Object, at time.Duration, nth int, since time.Duration) string {
	resource := k.Resource
	if k.Subresource != "" {
		resource += "/" + k.Subresource
	}
	counted := fmt.Sprintf("%s %s %d", k.Verb, resource, nth)
	if since > 0 {
		counted += " from " + notation.Text(since) + " on"
	}
	return fmt.Sprintf("%s of %s at %s (%s)", k.Verb, trace.ObjectName(object), notation.Text(Rounded(at)), counted)
}

// start is the time from which a rule counts; nil if it counts from the start.
func start(since time.Duration) *notation.Duration {
	if since == 0 {
		return nil
	}
	return notation.NewDuration(since)
}

// Counter counts the requests of each kind.
type Counter struct {
	counts map[kind]int
	named  map[named]int
}

// named are the requests of a kind for one object.
type named struct {
	kind
	object trace.Object
}

// Write returns the write that a record is. Events and leases are written without consequences, and do not count.
func (c *Counter) Write(record *trace.Record) (Write, bool) {
	r := record.Request
	if r == nil {
		return Write{}, false
	}
	switch r.Verb {
	case "get", "list", "watch":
		return Write{}, false
	}
	if fault.IsRoutine(notation.Plural(r.Resource)) {
		return Write{}, false
	}
	object := r.Object
	if len(r.Writes) > 0 {
		object = r.Writes[0].Object
	}
	kind := kind{record.Actor, r.Verb, r.Resource, r.Subresource}
	if c.named == nil {
		c.named = map[named]int{}
	}
	same := named{kind, object}
	c.named[same]++
	return Write{kind: kind, Object: object, Nth: c.next(kind), At: record.At, again: c.named[same]}, true
}

func (c *Counter) next(k kind) int {
	if c.counts == nil {
		c.counts = map[kind]int{}
	}
	c.counts[k]++
	return c.counts[k]
}

// rule is a rule that applies to the write, without an effect.
func (w *Write) rule() format.FaultRule {
	return format.FaultRule{Nth: w.Nth, Times: 1, At: start(w.since), Request: &format.FaultRequest{
		Actor: w.Actor, Verb: w.Verb, Resource: notation.Plural(w.Resource), Subresource: w.Subresource,
	}}
}

// Restart is how long a controller is down after a crash.
const Restart = 500 * time.Millisecond

// Crash is a rule that crashes the controller after the write, and starts it again after a while.
func (w *Write) Crash(down time.Duration) format.FaultRule { return with(w.rule(), crash(down)) }

// Lose is a rule that executes the write and loses the answer.
func (w *Write) Lose() format.FaultRule { return with(w.rule(), lose) }

// Refuse is a rule that refuses the write with an internal error.
func (w *Write) Refuse() format.FaultRule { return with(w.rule(), refuse) }

// Conflict is a rule that refuses the write with a conflict.
func (w *Write) Conflict() format.FaultRule { return with(w.rule(), conflict) }

// Late is a rule that executes the write and delays the answer.
func (w *Write) Late() format.FaultRule { return with(w.rule(), delayResponse) }

// Outage is a rule that refuses the write and its repetitions, until the controller drops the key. The server may generate the name of an
// object that is created, so that all creations of the kind are refused.
func (w *Write) Outage() format.FaultRule {
	rule := with(w.rule(), refuse)
	rule.Times = retries
	if w.Object.Name != "" && (w.Verb != "create" || w.Subresource != "") {
		rule.Request.Namespace, rule.Request.Name, rule.Nth = w.Object.Namespace, w.Object.Name, w.again
	}
	return rule
}

// with is a rule with an effect.
func with(rule format.FaultRule, effect func(*format.FaultRule)) format.FaultRule {
	effect(&rule)
	return rule
}

// Rounded is a time of a rule: a rule that begins a moment before an event applies to it.
func Rounded(d time.Duration) time.Duration { return d.Truncate(time.Millisecond) }
