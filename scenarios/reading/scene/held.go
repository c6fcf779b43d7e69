package scene

import (
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/scenarios/reading/why"
	"github.com/kubestep/kubestep/sim/trace"
)

// Holds are the records of the faults that hold a request or a watch event at the beat.
func (b *Beat) Holds() []*trace.Record {
	if b.held == nil {
		b.held = b.findHolds()
	}
	return b.held
}

func (b *Beat) findHolds() []*trace.Record {
	holds := []*trace.Record{}
	for _, seq := range b.holds {
		if seq > b.Seq {
			break
		}
		record := b.Rec.Record(seq)
		if record.Fault.Effect == trace.EffectRelease {
			holds = slices.DeleteFunc(holds, func(hold *trace.Record) bool { return hold.Fault.Rule == record.Fault.Rule })
			continue
		}
		holds = append(holds, record)
	}
	return slices.DeleteFunc(holds, b.isLost)
}

// isLost reports whether a fault held a watch event of a watch that has ended since: its process has, or its informer has listed or
// watched again. The event never arrives, and the end of the fault says nothing of it. A request stays in transit when its process ends.
func (b *Beat) isLost(hold *trace.Record) bool {
	if !hold.Fault.IsOfEvent() {
		return false
	}
	reads := b.reads[informer{hold.Actor, hold.Fault.Resource}]
	if first, _ := slices.BinarySearch(reads, hold.Seq); first < len(reads) && reads[first] <= b.Seq {
		return true
	}
	process := b.Instant().Process(b.History.ProcessOf(hold.Actor))
	return process.State == why.Dead && process.Seq > hold.Seq
}

// Informs reports whether an actor reads a resource from an informer: from its own, or else from one that all controllers of its process
// share. kube-scheduler, for example, is a process with informers of its own.
func (b *Beat) Informs(informer, actor, resource string) bool {
	if from := b.Rec.Caches.Read(actor, resource); from != nil && from.Actor == actor {
		return informer == actor
	}
	name, suffix := trace.SplitActor(informer)
	_, own := trace.SplitActor(actor)
	return informer == actor || suffix == own && (name == trace.InformerActor || name == trace.MetadataActor)
}

// Learns reports whether a watch event that a fault holds is one from which a component learns of its keys.
func (b *Beat) Learns(o *Component, hold *trace.Record) bool {
	resource := hold.Fault.Resource
	return slices.Contains(o.Resources, resource) &&
		slices.ContainsFunc(o.actors, func(actor string) bool { return b.Informs(hold.Actor, actor, resource) })
}

// HeldEvents are the watch events for which a component waits, since faults hold them.
func (b *Beat) HeldEvents(o *Component) (messages []*Message) {
	for _, hold := range b.Holds() {
		if !hold.Fault.IsOfEvent() || !b.Learns(o, hold) || b.hasArrived(hold) {
			continue
		}
		messages = append(messages, &Message{
			Seq: hold.Seq, Object: hold.Fault.Object, Way: Event, End: Held, Tone: palette.Fault,
			Text: strings.ToLower(hold.Fault.Verb) + " " + Short(hold.Fault.Object), Detail: "held by fault " + hold.Fault.Rule,
		})
	}
	return messages
}

// hasArrived reports whether a watch event that was held has arrived at its informer. A fault that holds each event for some time does not
// say when.
func (b *Beat) hasArrived(hold *trace.Record) bool {
	events := b.events[informer{hold.Actor, hold.Fault.Resource}]
	first, _ := slices.BinarySearch(events, hold.Seq)
	for _, seq := range events[first:] {
		if seq > b.Seq {
			break
		}
		if watch := b.Rec.Record(seq).Watch; watch != nil && watch.Object == hold.Fault.Object && watch.Type == hold.Fault.Verb {
			return true
		}
	}
	return false
}
