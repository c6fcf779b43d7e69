package why

import (
	"slices"

	"github.com/kubestep/kubestep/scenarios/verdict/liveness"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// mostSteps is how many writes are looked at to find since when an object lacks something.
const mostSteps = 500

// since is the moment from which on an object has lacked something without a break.
func (i *Instant) since(f *liveness.Finding) *Moment {
	if !f.Since.IsZero() {
		at := f.Since.Sub(i.rec.Epoch())
		return &Moment{Record: i.rec.Find(at), At: at, Text: trace.Seconds(at)}
	}
	seq, exact := i.deleted(f.Object), true
	if seq == 0 || !i.History.At(seq, i.rec.At(seq)).lacks(f) {
		seq, exact = i.lastBreak(f)
	}
	if seq == 0 { // nobody has written anything since the start
		return &Moment{Record: 1, Text: trace.Seconds(0), Earlier: true}
	}
	// What a scenario starts with was so before.
	restored := i.rec.Record(seq).Request != nil && i.rec.Record(seq).Request.Verb == "restore"
	return &Moment{Record: seq, At: i.rec.At(seq), Text: i.began(f.Object, seq), Earlier: !exact || restored}
}

// lastBreak is the first write after the last one at which an object lacked nothing; exact is false if it is only known that it
// is at least as long ago.
func (i *Instant) lastBreak(f *liveness.Finding) (seq int64, exact bool) {
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

// lacks reports whether the object of a finding lacked something at this instant; of one that the API server refuses what it wants,
// whether that was so.
func (i *Instant) lacks(f *liveness.Finding) bool {
	lack := liveness.LackOf(world{i}, f.Goal, f.Object)
	return lack != nil && (!f.Refused || lack.Refused)
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
