package why

import (
	"fmt"
	"slices"
	"time"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/verdict/liveness"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// AppliedFault is a fault that applied to what a controller did or saw, close to the time from which an object has been stuck.
type AppliedFault struct {
	Record int64         `json:"record"`
	At     time.Duration `json:"at"`
	// Actor made the request, or did not receive the watch event.
	Actor string `json:"actor"`
	// Down is the time since which a process did not run that is started again; 0 if it ran until then.
	Down time.Duration `json:"down,omitempty"`
	trace.Fault
}

// applied is the fault of a record.
func (h *History) applied(seq int64) *AppliedFault {
	record := h.rec.Record(seq)
	return &AppliedFault{Record: seq, At: record.At, Actor: record.Actor, Fault: *record.Fault}
}

// String says what the fault did: "restart of kube-controller-manager", or "lost-answer: update nodes/node-1/status of
// node-lifecycle-controller: 504 Timeout, after the commit".
func (s *AppliedFault) String() string {
	if s.Verb == "" {
		text := fmt.Sprintf("%s, record %d: %s of %s", trace.Seconds(s.At), s.Record, s.Effect, s.Actor)
		if s.Down > 0 {
			text += ", which had not run since " + trace.Seconds(s.Down)
		}
		return text
	}
	what := trace.ObjectName(s.Object)
	if s.Subresource != "" {
		what += "/" + s.Subresource
	}
	return fmt.Sprintf("%s, record %d: %s: %s %s of %s: %s", trace.Seconds(s.At), s.Record, s.Rule, s.Verb, what, s.Actor, s.Effect)
}

// longBefore is how long before an object became stuck a fault may have applied that explains it.
const longBefore = 10 * time.Minute

// explainingFault is the one that explains best why an object is stuck: one that applied to a request of its controller, or that kept an
// event of a kind that it depends on from the informers of its process; or one that applied to a request about an object that it owns; or
// else the restart of the process of its controller. It is nil if there is none from ten minutes before the object became stuck to a minute
// after it, or to the last look of the controller.
func (i *Instant) explainingFault(a *Answer) *AppliedFault {
	if a.Since == nil || i.dump != nil {
		return nil
	}
	if own := i.lastFault(a, func(record *trace.Record) bool { return i.concerns(a, record) }); own != nil {
		return own
	}
	if owned := i.lastFault(a, func(record *trace.Record) bool { return i.isForOwned(a.Object, record) }); owned != nil {
		return owned
	}
	return i.restart(a)
}

// lastFault is the last fault that matches in the time that explainingFault looks at. One about the object itself comes first.
func (i *Instant) lastFault(a *Answer, matches func(*trace.Record) bool) (best *AppliedFault) {
	until := a.Since.At + liveness.Patience
	if a.Look != nil {
		until = max(until, a.Look.At, i.rec.At(a.Look.End))
	}
	faults := i.rec.OfKind(trace.KindFault)
	for _, seq := range slices.Backward(faults[:firstAfter(faults, i.seq)]) {
		record := i.rec.Record(seq)
		switch {
		case record.At > until || record.Fault.Verb == "":
			continue
		case record.At < a.Since.At-longBefore:
			return best
		case !matches(record):
			continue
		}
		s := i.applied(seq)
		if s.Object == a.Object {
			return s
		}
		if best == nil {
			best = s
		}
	}
	return best
}

// isForOwned reports whether a fault applied to a request in a sync of an object that another one owns: a condition of a Deployment, for
// example, comes from its ReplicaSets, and theirs from requests for Pods.
func (i *Instant) isForOwned(owner trace.Object, record *trace.Record) bool {
	start := i.rec.SyncOf(record.Cause)
	if start == 0 {
		return false
	}
	controller, _ := trace.SplitActor(i.rec.Actor(start))
	resource, key := controllers.Of(controller).Keys, i.rec.SyncKey(start)
	return resource != "" && slices.ContainsFunc(i.rec.KinAt(i.seq), func(kin recording.Kin) bool {
		return kin.Owner == owner && kin.Object.Resource == resource && keyOf(kin.Object) == key
	})
}

// restart is the last start again of the process of a controller, if that explains why an object is stuck: the controller has not looked
// at it since, or the process did not run when the object began to lack something.
func (i *Instant) restart(a *Answer) *AppliedFault {
	var dead, down, started change
	for _, c := range i.processes[a.Process] {
		switch {
		case c.seq > i.seq:
		case c.state == Dead:
			dead = c
		case c.why == startedAgain:
			started, down, dead = c, dead, change{}
		}
	}
	if started.seq == 0 || i.rec.Record(started.seq).Fault == nil {
		return nil
	}
	missed := down.seq != 0 && i.rec.At(down.seq) <= a.Since.At && a.Since.At <= i.rec.At(started.seq)
	forgot := a.Look == nil && i.rec.At(started.seq) >= a.Since.At-longBefore
	if !missed && !forgot {
		return nil
	}
	s := i.applied(started.seq)
	if down.seq != 0 {
		s.Down = i.rec.At(down.seq)
	}
	return s
}

// concerns reports whether a fault applied to a request of the controller of an object, or to a watch event for its process of a kind that
// the object depends on.
func (i *Instant) concerns(a *Answer, record *trace.Record) bool {
	actor, _ := trace.SplitActor(record.Actor)
	if actor == a.Controller {
		return true
	}
	informer := actor == trace.InformerActor || actor == trace.MetadataActor
	return informer && i.process(record.Actor) == a.Process &&
		(record.Fault.Resource == a.Object.Resource || slices.Contains(needs[a.Object.Resource], record.Fault.Resource))
}
