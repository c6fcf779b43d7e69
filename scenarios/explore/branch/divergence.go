package branch

import (
	"github.com/kubestep/kubestep/scenarios/language/verb"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Divergence is the first record of each of two runs that the other does not have; 0 where a run ends before.
// What only tells about a run is passed over: notes, questions, checks, and steps that wait. So is the number of
// a record, which depends on those.
func Divergence(a, b *recording.Recording) (inA, inB int64) {
	i, j, differ := recording.Diverge(a.All(), b.All(), tells, recording.SameEffect)
	if differ && int64(i) < a.Len() {
		inA = int64(i) + 1
	}
	if differ && int64(j) < b.Len() {
		inB = int64(j) + 1
	}
	return inA, inB
}

// tells reports whether a record only tells about a run, and does nothing in it.
func tells(record *trace.Record) bool {
	if record.Action != nil {
		return verb.Observes(record.Action.Verb)
	}
	return record.Note != nil || record.Show != nil || record.Ask != nil || record.Answer != nil || record.Check != nil
}
