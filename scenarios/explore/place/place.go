package place

import (
	"fmt"
	"slices"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/trace"
)

// Place is one place with one kind of fault.
type Place struct {
	// Kind names the kind of the fault, and What says where it applies, in words: update of deployments/web at 1.5s ...
	Kind string `json:"kind"`
	What string `json:"what"`
	// At is the time of the write or the event in the run without faults, Actor who wrote or received it, and Object what it is about.
	At     time.Duration `json:"at"`
	Actor  string        `json:"actor"`
	Object trace.Object  `json:"object"`
	// Rule is the fault.
	Rule format.FaultRule `json:"rule"`
}

// Lines describe the place: what the fault is, and where it applies.
func (p *Place) Lines() []string {
	return []string{p.Kind + " " + p.What, verb.DescribeFault(p.Rule)}
}

// Event is a watch event that an informer receives.
type Event struct {
	kind
	Object trace.Object
	// Nth is its position among the events of that type for the same resource, from 1.
	Nth int
	At  time.Duration
}

// String says which event it is: MODIFIED of pods/web-1 at 12ms (MODIFIED pods 3), the third one for Pods.
func (e *Event) String() string {
	object, at := trace.ObjectName(e.Object), notation.Text(Rounded(e.At))
	return fmt.Sprintf("%s of %s at %s (%s %s %d)", e.Verb, object, at, e.Verb, e.Resource, e.Nth)
}

// rule is a rule that applies to the event, without an effect.
func (e *Event) rule() format.FaultRule {
	return format.FaultRule{Nth: e.Nth, Times: 1, Watch: &format.FaultWatch{
		Actor: e.Actor, Resource: notation.Plural(e.Resource), Type: e.Verb,
	}}
}

// Look collects the places of a run without faults.
type Look struct {
	until    time.Duration
	requests Counter
	events   Counter

	writes   []Write
	received []Event
}

// NewLook returns a Look before the first record. It ignores what happens after the horizon of the scenario: runs with faults are longer.
func NewLook(horizon time.Duration) *Look { return &Look{until: horizon} }

// Note is a trace.Sink.
func (l *Look) Note(record *trace.Record, _ []byte) {
	if record.At < 0 || record.At > l.until {
		return
	}
	if record.Watch != nil {
		l.watched(record)
		return
	}
	if w, ok := l.requests.Write(record); ok && !record.Background && compare.Decides(record.Actor) {
		l.writes = append(l.writes, w)
	}
}

// informers are the actors whose events the controllers of kube-controller-manager see.
var informers = []string{"shared-informers", "metadata-informers"}

func (l *Look) watched(record *trace.Record) {
	w := record.Watch
	if w.Type == "BOOKMARK" || w.Type == "ERROR" || fault.IsRoutine(notation.Plural(w.Resource)) {
		return
	}
	if !compare.Decides(record.Actor) && !slices.Contains(informers, record.Actor) {
		return
	}
	kind := kind{record.Actor, w.Type, w.Resource, ""}
	l.received = append(l.received, Event{kind: kind, Object: w.Object, Nth: l.events.next(kind), At: record.At})
}

// Places lists the places: those of the first of Kinds in the order of time, then those of the second one, and so on.
func (l *Look) Places() (places []Place) {
	for _, k := range Kinds() {
		for i := range l.writes {
			w := &l.writes[i]
			if k.write == nil || k.fits != nil && !k.fits(w) {
				continue
			}
			rule := k.write(w)
			rule.Name = k.Name
			places = append(places, Place{
				Kind: k.Name, What: k.where + " " + w.String() + " by " + w.Actor, At: w.At, Actor: w.Actor, Object: w.Object, Rule: rule,
			})
		}
		for i := range l.received {
			e := &l.received[i]
			if k.event == nil {
				break
			}
			rule := k.event(e)
			rule.Name = k.Name
			places = append(places, Place{
				Kind: k.Name, What: k.where + " " + e.String() + " for " + e.Actor, At: e.At, Actor: e.Actor, Object: e.Object, Rule: rule,
			})
		}
	}
	return places
}
