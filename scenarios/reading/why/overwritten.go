package why

import (
	"fmt"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/verdict/contention"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant"
	"github.com/kubestep/kubestep/scenarios/verdict/overwrite"
	"github.com/kubestep/kubestep/sim/trace"
)

// findOverwritten looks for fields that controllers overwrote, once they are needed.
func (h *History) findOverwritten() {
	if h.overwritten != nil {
		return
	}
	h.overwritten = map[trace.Object][]*overwrite.Overwrite{}
	finder := overwrite.NewFinder(h.isUser)
	for record := range h.rec.Of(trace.KindRequest) {
		for _, o := range finder.Add(record) {
			h.overwritten[o.Object] = append(h.overwritten[o.Object], o)
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
	i.findOverwritten()
	for _, o := range i.History.overwritten[a.Object] {
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
		finder := contention.NewFinder(contention.Actors{
			IsController: i.isController, IsProgram: func(actor string) bool { return !i.isUser(actor) },
			KeyOf: func(request *trace.Record) string { return i.rec.SyncKey(request.Cause) },
		})
		for record := range i.rec.Of(trace.KindRequest) {
			if record.Seq > i.seq {
				break
			}
			finder.Add(record)
		}
		i.fights = map[trace.Object]*invariant.Hot{}
		for _, f := range finder.Fights(i.at) {
			if i.fights[f.Object] == nil {
				i.fights[f.Object] = invariant.HotOf(&f)
			}
		}
	}
	a.Hot = i.fights[a.Object]
}

// isController reports whether an actor is a controller: no user, kubelet or scheduler.
func (h *History) isController(actor string) bool {
	name, _ := trace.SplitActor(actor)
	return !h.isUser(actor) && name != controllers.KubeletName && name != trace.SchedulerActor
}
