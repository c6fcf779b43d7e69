package film

import (
	"slices"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Subject is what a scenario is about from a record on: the messages of some components, and those about some objects or about what
// these own. Without either, it is about all messages but the renewals of leases.
type Subject struct {
	// Seq is the record from which on that is so: a direction of the scenario.
	Seq int64
	// Programs are the names of components, without the suffix of a replica or a node.
	Programs []string
	Objects  []trace.Object
}

// message is a kind of message: who does what to which kind of object, and to which part of it. The statuses that a kubelet writes for
// the three Pods of a Deployment are one kind: {kubelet update pods status}. A request that the API server refuses is another kind.
type message struct {
	actor, verb, resource, subresource string
	refused                            bool
}

// newMessages are the messages that a scenario is about, as far as each is the first of its kind: since the last direction, or since the
// question that is open. A scenario that neither directs nor asks is about nothing in particular.
func newMessages(rec *recording.Recording, subjects []Subject) map[int64]bool {
	news := map[int64]bool{}
	// A map is nil while there is no direction, or while no question is open.
	var directed, asked map[message]bool
	var s Subject
	for _, seq := range rec.Marks().Story {
		for len(subjects) > 0 && subjects[0].Seq <= seq {
			s, subjects, directed = subjects[0], subjects[1:], map[message]bool{}
		}
		switch rec.Kind(seq) {
		case trace.KindAsk:
			asked = map[message]bool{}
		case trace.KindAnswer:
			asked = nil
		}
		if directed == nil && asked == nil {
			continue
		}
		m, ok := messageOf(rec.Record(seq))
		if !ok || !s.includes(rec, m, seq) {
			continue
		}
		for _, seen := range []map[message]bool{directed, asked} {
			if seen != nil && !seen[m] {
				seen[m], news[seq] = true, true
			}
		}
	}
	return news
}

// messageOf is the kind of the message of a record, if it is one: a request, the start of a sync, or what a kubelet does with a
// container.
func messageOf(record *trace.Record) (message, bool) {
	actor, _ := trace.SplitActor(record.Actor)
	m := message{actor: actor}
	switch {
	case record.Request != nil && record.Request.Resource != "events":
		r := record.Request
		m.verb, m.resource, m.subresource, m.refused = r.Verb, r.Resource, r.Subresource, r.Code >= 400
	case record.Sync != nil:
		m.verb, m.resource = string(record.Kind), record.Sync.Queue
	case record.Container != nil:
		m.verb, m.resource = trace.Describe(record).Verb, record.Container.Resource
	default:
		return message{}, false
	}
	return m, true
}

// includes reports whether a message of a record is about the subject.
func (s *Subject) includes(rec *recording.Recording, m message, seq int64) bool {
	if len(s.Programs) == 0 && len(s.Objects) == 0 {
		return !isBookkeeping(m.resource)
	}
	if slices.Contains(s.Programs, m.actor) {
		return true
	}
	if len(s.Objects) == 0 {
		return false
	}
	object, ok := rec.ObjectOf(seq)
	if c := rec.Record(seq).Container; c != nil {
		object, ok = c.Object, true
	}
	isSubject := func(o trace.Object) bool { return slices.Contains(s.Objects, o) }
	return ok && (isSubject(object) || slices.ContainsFunc(rec.Owners(object, seq), isSubject))
}
