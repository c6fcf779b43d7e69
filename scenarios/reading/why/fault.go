package why

import (
	"fmt"
	"slices"
	"time"

	"github.com/kubestep/kubestep/scenarios/verdict/liveness"
	"github.com/kubestep/kubestep/sim/trace"
)

// AppliedFault is a fault that applied to what a controller did or saw, close to the time from which an object has been stuck.
type AppliedFault struct {
	Record int64         `json:"record"`
	At     time.Duration `json:"at"`
	// Actor made the request, or did not receive the watch event.
	Actor string `json:"actor"`
	trace.Fault
}

// String says what the fault did: "lost-answer: update nodes/node-1/status of node-lifecycle-controller: 504 Timeout, after the commit".
func (s *AppliedFault) String() string {
	what := trace.ObjectName(s.Object)
	if s.Subresource != "" {
		what += "/" + s.Subresource
	}
	return fmt.Sprintf("%s, record %d: %s: %s %s of %s: %s", trace.Seconds(s.At), s.Record, s.Rule, s.Verb, what, s.Actor, s.Effect)
}

// longBefore is how long before an object became stuck a fault may have applied that explains it.
const longBefore = 10 * time.Minute

// explainingFault is the one that explains best why an object is stuck: the last one that applied to a request of its controller, or that
// kept an event of a kind that it depends on from the informers of its process. One about the object itself comes first. It is nil if
// there is none from ten minutes before the object became stuck to a minute after it, or to the last look of the controller.
func (i *Instant) explainingFault(a *Answer) *AppliedFault {
	if a.Since == nil || i.dump != nil {
		return nil
	}
	until := a.Since.At + liveness.Patience
	if a.Look != nil {
		until = max(until, a.Look.At, i.rec.At(a.Look.End))
	}
	var best *AppliedFault
	faults := i.rec.OfKind(trace.KindFault)
	for _, seq := range slices.Backward(faults[:firstAfter(faults, i.seq)]) {
		record := i.rec.Record(seq)
		switch {
		case record.At > until || record.Fault.Verb == "" || !i.concerns(a, record):
			continue
		case record.At < a.Since.At-longBefore:
			return best
		}
		s := &AppliedFault{Record: seq, At: record.At, Actor: record.Actor, Fault: *record.Fault}
		if s.Object == a.Object {
			return s
		}
		if best == nil {
			best = s
		}
	}
	return best
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
