package branch

import (
	"github.com/kubestep/kubestep/scenarios/language/verb"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Divergence is the first record of each of two runs that the other does not have; 0 where a run ends before. If b is a branch that shares
// records with a (recording.Origin), it looks only at those behind them.
// What only tells about a run is passed over: notes, questions, checks, and steps that wait. So is the number of
// a record, which depends on those.
func Divergence(a, b *recording.Recording) (inA, inB int64) {
	i, j, differ := recording.Diverge(a.After(b.Shared), b.After(b.Shared), tells, recording.SameEffect)
	if first := b.Shared + int64(i) + 1; differ && first <= a.Len() {
		inA = first
	}
	if first := b.Shared + int64(j) + 1; differ && first <= b.Len() {
		inB = first
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

// Effect is as Divergence, but looks only at what changes the store, and at what the API server refuses. It is where the runs begin to do
// different things; 0 and 0 mean that they never do.
func Effect(a, b *recording.Recording) (inA, inB int64) {
	idle := func(record *trace.Record) bool {
		return record.Request == nil || record.Background || len(record.Request.Writes) == 0 && record.Request.Code < 400
	}
	i, j, differ := recording.Diverge(a.All(), b.All(), idle, recording.SameEffect)
	if first := int64(i) + 1; differ && first <= a.Len() {
		inA = first
	}
	if first := int64(j) + 1; differ && first <= b.Len() {
		inB = first
	}
	return inA, inB
}
