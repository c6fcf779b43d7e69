package why

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/scenarios/liveness"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// mostSteps is how many writes are looked at to find since when an object lacks something.
const mostSteps = 500

// since is the write from which on an object has lacked something without a break; exact is false if it is only known that
// this is at least as long ago.
func (i *Instant) since(f *liveness.Finding) (seq int64, exact bool) {
	writes := i.rec.Marks().Writes
	seq = recording.Latest(writes, i.seq)
	for range mostSteps {
		before := recording.Previous(writes, seq)
		if before == 0 || !i.History.At(before, i.rec.At(before)).lacks(f) {
			return seq, true
		}
		seq = before
	}
	return seq, false
}

// lacks reports whether the object of a finding lacked something at this instant.
func (i *Instant) lacks(f *liveness.Finding) bool {
	for _, goal := range liveness.Goals() {
		if goal.Controller == f.Controller && goal.Resource.String() == f.Object.Resource {
			return liveness.LackOf(world{i}, goal, f.Object) != nil
		}
	}
	return false
}

// goal is the goal that a finding misses.
func goalOf(resource, controller string) (liveness.Goal, bool) {
	for _, goal := range liveness.Goals() {
		if goal.Controller == controller && goal.Resource == schema.ParseGroupResource(resource) {
			return goal, true
		}
	}
	return liveness.Goal{}, false
}

// place is the time and the number of a record, and what it did.
func (i *Instant) place(seq int64) string {
	row := i.rec.Row(seq)
	text := trace.Seconds(i.rec.At(seq)) + ": " + row.Actor + " " + row.Verb + " " + row.Object
	if row.Detail != "" {
		text += " " + row.Detail
	}
	return text
}

// began is the time of the record from which on an object has lacked something, and what that did if it is about the object.
// Some lacks begin with a time, such as that of a CronJob.
func (i *Instant) began(o trace.Object, seq int64) string {
	for _, w := range i.rec.Record(seq).Request.Writes {
		if w.Object == o || slices.Contains(needs[o.Resource], w.Resource) {
			return i.place(seq)
		}
	}
	return trace.Seconds(i.rec.At(seq))
}
