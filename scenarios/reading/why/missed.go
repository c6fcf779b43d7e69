package why

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/scenarios/verdict/liveness"
	"github.com/kubestep/kubestep/sim/trace"
)

// Missed is a change that the cache of a controller did not have, because of a fault, when a sync began that then wrote something.
type Missed struct {
	// Object is what the change is of, RV its resourceVersion, and Record the write.
	trace.Object
	RV     uint64 `json:"rv"`
	Record int64  `json:"record"`
	// Controller is the one whose cache it is, and Sync the first record of the sync.
	Controller string `json:"controller"`
	Sync       int64  `json:"sync"`
	// More is how many other changes of the object and of those that it owns the cache did not have.
	More int `json:"more,omitempty"`
	// Rule is the name of the fault.
	Rule string `json:"rule"`
}

// String says it in a sentence.
func (m *Missed) String() string {
	text := fmt.Sprintf("when %s looked, record %d, its cache had missed resourceVersion %d of %s (record %d)", m.Controller, m.Sync, m.RV,
		trace.ObjectName(m.Object), m.Record)
	if m.More > 0 {
		text += " and " + trace.Count(m.More, "more change")
	}
	return text + " (fault " + m.Rule + ")"
}

// keptBack notes a fault that applied to what an informer lists or watches. Faults of requests of controllers have a sync as their cause.
func (h *History) keptBack(record *trace.Record) {
	if record.Fault == nil {
		return
	}
	name, _ := trace.SplitActor(record.Actor)
	informer := record.Cause == 0 && (name == trace.InformerActor || name == trace.MetadataActor)
	if informer || record.Fault.Effect == trace.EffectRelease && len(h.kept) > 0 {
		h.kept = append(h.kept, record.Seq)
	}
}

// missing adds to an answer what the cache of the controller lacked in the sync since which the object has lacked something, or else in its
// last sync.
func (i *Instant) missing(a *Answer) {
	if len(i.kept) == 0 || a.Look == nil {
		return
	}
	start := a.Look.Start
	if a.Since != nil {
		if since := i.rec.SyncOf(a.Since.Record); since != 0 && i.rec.SyncKey(since) == a.Key {
			if name, _ := trace.SplitActor(i.rec.Actor(since)); name == a.Controller {
				start = since
			}
		}
	}
	i.missedIn(a, start, false)
}

// misjudged adds the same to an answer about an object that lacks nothing: its controller wrote something in its last sync that it may
// not have written with a current cache, such as a Pod for a Job that was complete.
func (i *Instant) misjudged(a *Answer) {
	if len(i.kept) == 0 || i.dump != nil {
		return
	}
	for _, goal := range liveness.Goals() {
		if goal.Controller == "" || goal.Resource != schema.ParseGroupResource(a.Object.Resource) || !i.runs[goal.Controller] {
			continue
		}
		key := (&liveness.Finding{Object: a.Object, Controller: goal.Controller}).Key()
		if last := i.lastSync(i.actor(goal.Controller, key), key); last != 0 {
			i.missedIn(a, last, true)
			return
		}
	}
}

// missedIn adds what a cache lacked at the start of a sync that wrote something; more than a status if decided is set.
func (i *Instant) missedIn(a *Answer, start int64, decided bool) {
	if !i.wrote(start, decided) {
		return
	}
	actor := i.rec.Actor(start)
	for _, resource := range append([]string{a.Object.Resource}, needs[a.Object.Resource]...) {
		if a.Missed = i.missedOf(actor, resource, start, a.Object); a.Missed != nil {
			break
		}
	}
	if a.Missed != nil && a.Fault == nil {
		a.Fault = i.applied(i.keeping(a.Missed, actor))
	}
}

// wrote reports whether a sync has written something so far; more than a status if decided is set.
func (i *Instant) wrote(start int64, decided bool) bool {
	for _, seq := range i.rec.Effects(start) {
		r := i.rec.Record(seq).Request
		if seq <= i.seq && r != nil && len(r.Writes) > 0 && r.Resource != "events" && (!decided || r.Subresource != "status") {
			return true
		}
	}
	return false
}

// missedOf is the oldest change of an object, or of those of a resource that it owns, that the cache of an actor had missed because of a
// fault.
func (i *Instant) missedOf(actor, resource string, start int64, owner trace.Object) (oldest *Missed) {
	informer := i.rec.Caches.Read(actor, resource)
	if informer == nil {
		return nil
	}
	name, _ := trace.SplitActor(actor)
	more := -1
	for _, o := range i.family(owner, resource, start, informer.Objects(owner.Namespace, start)) {
		versions, n := i.rec.Versions(o), i.rec.VersionAt(o, start)
		cached := informer.Version(o, start)
		for n >= 0 && versions[n].RV > cached && !(versions[n].Gone && cached == 0) {
			m := &Missed{Object: o, RV: versions[n].RV, Record: versions[n].Seq, Controller: name, Sync: start}
			if seq := i.keeping(m, actor); seq != 0 {
				m.Rule = i.rec.Record(seq).Fault.Rule
				more++
				if oldest == nil || m.RV < oldest.RV {
					oldest = m
				}
			}
			n--
		}
	}
	if oldest != nil {
		oldest.More = more
	}
	return oldest
}

// family are an object, if it is of a resource, and the objects of the resource that it owns, in the store or in a cache.
func (i *Instant) family(owner trace.Object, resource string, seq int64, cached []trace.Object) (all []trace.Object) {
	if owner.Resource == resource {
		return []trace.Object{owner}
	}
	for _, kin := range i.rec.KinAt(seq) {
		if kin.Owner == owner && kin.Object.Resource == resource {
			all = append(all, kin.Object)
		}
	}
	uid := uidOf(i.rec.Replay.ObjectAt(owner, seq))
	for _, o := range cached {
		informed := i.rec.Versions(o)
		for n := i.rec.VersionAt(o, seq); n >= 0 && !slices.Contains(all, o); n-- {
			content := i.rec.Replay.ObjectVersion(o, informed[n].RV)
			if content != nil && isOwned(content, uid) {
				all = append(all, o)
			}
		}
	}
	return all
}

func uidOf(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	uid, _ := metadata["uid"].(string)
	return uid
}

// isOwned reports whether an object has an owner.
func isOwned(object map[string]any, uid string) bool {
	metadata, _ := object["metadata"].(map[string]any)
	owners, _ := metadata["ownerReferences"].([]any)
	return slices.ContainsFunc(owners, func(owner any) bool {
		reference, _ := owner.(map[string]any)
		return reference["uid"] == uid
	})
}

// keeping is the fault that kept a change from the informer of an actor until a sync; 0 for none. It is one that holds the watch, and with
// it all that follows, one that made a list older than the change, or one of this event.
func (i *Instant) keeping(m *Missed, actor string) int64 {
	informer := i.rec.Caches.Read(actor, m.Resource)
	released := map[string]bool{}
	var found int64
	for _, seq := range slices.Backward(i.kept[:firstAfter(i.kept, m.Sync)]) {
		record := i.rec.Record(seq)
		f := record.Fault
		switch {
		case f.Effect == trace.EffectRelease:
			released[f.Rule] = true
		case record.Actor != informer.Actor || f.Resource != m.Resource:
		case f.Verb == "list":
			if m.Record < seq && found == 0 {
				found = seq
			}
		case f.Object == m.Object && seq > m.Record && !(f.Has(trace.EffectHold) && released[f.Rule]):
			return seq
		case f.Has(trace.EffectHold) && !released[f.Rule] && found == 0:
			found = seq
		}
	}
	return found
}
