package why

import (
	"fmt"
	"iter"
	"slices"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/verdict/contention"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant"
	"github.com/kubestep/kubestep/scenarios/verdict/overwrite"
	"github.com/kubestep/kubestep/sim/trace"
)

// findOverwritten looks for fields of all objects that controllers overwrote.
func (h *History) findOverwritten() {
	if h.allOverwritten || h.dump != nil {
		return
	}
	h.allOverwritten, h.overwritten = true, map[trace.Object][]*overwrite.Overwrite{}
	finder := overwrite.NewFinder(h.isUser)
	for record := range h.rec.Of(trace.KindRequest) {
		for _, o := range finder.Add(record) {
			h.overwritten[o.Object] = append(h.overwritten[o.Object], o)
		}
	}
}

// overwrittenOf are the fields of an object that controllers overwrote. What is said of an object depends on its own writes only.
func (h *History) overwrittenOf(o trace.Object) []*overwrite.Overwrite {
	found, known := h.overwritten[o]
	if known || h.allOverwritten {
		return found
	}
	finder := overwrite.NewFinder(h.isUser)
	for record := range h.writesOf(o) {
		found = append(found, finder.Add(record)...)
	}
	found = slices.DeleteFunc(found, func(other *overwrite.Overwrite) bool { return other.Object != o })
	h.overwritten[o] = found
	return found
}

// writesOf yields the requests that wrote an object, in order.
func (h *History) writesOf(o trace.Object) iter.Seq[*trace.Record] {
	return func(yield func(*trace.Record) bool) {
		last := int64(0)
		for _, version := range h.rec.Versions(o) {
			if version.Seq != last && !yield(h.rec.Record(version.Seq)) {
				return
			}
			last = version.Seq
		}
	}
}

// isUser reports whether an actor is a user: no controller, kubelet or scheduler.
func (h *History) isUser(actor string) bool {
	name, _ := trace.SplitActor(actor)
	return !h.runs[name] && name != controllers.ManagerName && name != controllers.KubeletName && name != trace.SchedulerActor
}

// overwrote adds to an answer the last field of its object that a controller overwrote after a user had set it, as long as nobody has set
// that field again; and the fault that applied to the sync of the controller, if there is one.
func (i *Instant) overwrote(a *Answer) {
	if i.dump != nil {
		return
	}
	for _, o := range i.overwrittenOf(a.Object) {
		if o.Record > i.seq || o.Until != 0 && o.Until <= i.seq {
			continue
		}
		a.Overwritten = o
		if a.Fault == nil {
			a.Fault = i.faultOf(o.Sync, o.Record)
		}
	}
	if o := a.Overwritten; o != nil {
		a.overwritten = fmt.Sprintf("%s: %s set it to %s at %s, record %d, in a sync that began at %s, and so overwrote the %s "+
			"that %s set at %s, record %d", o.Field, o.Actor, o.New, trace.Seconds(i.rec.At(o.Record)), o.Record, trace.Seconds(i.rec.At(o.Sync)),
			o.Old, o.User, trace.Seconds(i.rec.At(o.UserRecord)), o.UserRecord)
	}
}

// faultOf is the last fault that applied to a request of a sync up to a record; nil if there is none.
func (i *Instant) faultOf(start, until int64) (found *AppliedFault) {
	for _, seq := range i.rec.OfKind(trace.KindFault) {
		if record := i.rec.Record(seq); seq <= until && record.Cause == start && record.Fault.Verb != "" {
			found = i.applied(seq)
		}
	}
	return found
}

// contended adds to an answer a field of its object that goes back and forth at this instant.
func (i *Instant) contended(a *Answer) {
	if i.dump != nil || i.rec.VersionAt(a.Object, i.seq) < contention.QuietWrites {
		return
	}
	if i.fights == nil {
		i.findFights()
	}
	a.Hot = i.fights[a.Object]
}

// findFights looks for fields that go back and forth at this instant. What is said of one object can depend on any other one that is
// written often, and not on the rest.
func (i *Instant) findFights() {
	finder := contention.NewFinder(contention.Actors{
		IsController: i.isController, IsProgram: func(actor string) bool { return !i.isUser(actor) },
		KeyOf: func(request *trace.Record) string { return i.rec.SyncKey(request.Cause) },
	})
	often := map[int64]bool{}
	for _, o := range i.rec.Caches.Store().Objects() {
		if n := i.rec.VersionAt(o, i.seq) + 1; n > contention.QuietWrites {
			for _, version := range i.rec.Versions(o)[:n] {
				often[version.Seq] = true
			}
		}
	}
	for _, seq := range i.rec.Marks().Writes {
		if often[seq] {
			finder.Add(i.rec.Record(seq))
		}
	}
	i.fights = map[trace.Object]*invariant.Hot{}
	for _, f := range finder.Fights(i.at) {
		if i.fights[f.Object] == nil {
			i.fights[f.Object] = invariant.HotOf(&f)
		}
	}
}

// isController reports whether an actor is a controller: no user, kubelet or scheduler.
func (h *History) isController(actor string) bool {
	name, _ := trace.SplitActor(actor)
	return !h.isUser(actor) && name != controllers.KubeletName && name != trace.SchedulerActor
}
