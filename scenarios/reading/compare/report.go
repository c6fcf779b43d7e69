package compare

import (
	"cmp"
	"maps"
	"slices"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// contextRecords is how much of what the recordings have in common is shown before they diverge.
const contextRecords = 5

// Report is what two recordings have in common, and what not.
type Report struct {
	A     *Side `json:"a"`
	B     *Side `json:"b"`
	Equal bool  `json:"equal"`
	// Divergence is the first record that differs, and Decision the first decision that does.
	Divergence *Divergence   `json:"divergence,omitempty"`
	Decision   *DecisionPair `json:"decision,omitempty"`
	// Actors counts side by side the records of all actors; the rest names only what differs.
	Actors  []ActorPair   `json:"actors,omitempty"`
	Checks  []CheckPair   `json:"checks,omitempty"`
	Writes  []WritesPair  `json:"writes,omitempty"`
	History []HistoryPair `json:"history,omitempty"`
	// Outages are those of workloads and Services that differ.
	Outages []OutagePair `json:"outages,omitempty"`
	Final   []FinalPair  `json:"final,omitempty"`
}

// Divergence is the first record that differs. A or B is nil when its recording has ended before.
type Divergence struct {
	Seq int64 `json:"seq"`
	// Before are the last records that both have.
	Before []*trace.Record `json:"before,omitempty"`
	A      *trace.Record   `json:"a,omitempty"`
	B      *trace.Record   `json:"b,omitempty"`
}

// ActorPair counts what one actor did in both.
type ActorPair struct {
	Actor string `json:"actor"`
	A     Tally  `json:"a"`
	B     Tally  `json:"b"`
}

// CheckPair is a check that ended differently; nil where it did not end.
type CheckPair struct {
	Name string   `json:"name"`
	A    *Verdict `json:"a,omitempty"`
	B    *Verdict `json:"b,omitempty"`
}

// WritesPair is an object, or all those with a generated name of one pattern, that was written more often on
// one side.
type WritesPair struct {
	trace.Object
	A int `json:"a"`
	B int `json:"b"`
}

// Compare compares two recordings.
func Compare(recA, recB *recording.Recording) *Report {
	if haveSameLines(recA, recB) {
		return &Report{A: headOf(recA, NewDecisions()), B: headOf(recB, NewDecisions()), Equal: true}
	}
	seq, differ := recording.FirstDifference(recA, recB)
	a, b := newSide(recA), newSide(recB)
	report := &Report{A: a, B: b, Equal: !differ}
	if !differ {
		return report
	}
	report.Divergence = &Divergence{Seq: seq, A: recA.Record(seq), B: recB.Record(seq), Before: []*trace.Record{}}
	for before := max(1, seq-contextRecords); before < seq; before++ {
		report.Divergence.Before = append(report.Divergence.Before, recA.Record(before))
	}
	report.compare()
	return report
}

// haveSameLines reports whether two recordings were read from the same lines, of which Hash is the SHA-256. That of a run is the hash of
// its redacted lines, which its records need not be, and that of an archive is what the archive says.
func haveSameLines(a, b *recording.Recording) bool {
	return a.Hash != "" && a.Hash == b.Hash && !a.Ran && !b.Ran && recording.SameLines(a, b)
}

// compare compares what is counted on both sides.
func (report *Report) compare() {
	a, b := report.A, report.B
	report.Decision = firstDecision(a.decisions, b.decisions)
	for _, actor := range keys(a.tallies, b.tallies, cmp.Compare[string]) {
		report.Actors = append(report.Actors, ActorPair{actor, *a.tally(actor), *b.tally(actor)})
	}
	for _, name := range keys(a.checks, b.checks, cmp.Compare[string]) {
		x, inA := a.checks[name]
		y, inB := b.checks[name]
		if inA == inB && x.Passed == y.Passed {
			continue
		}
		pair := CheckPair{Name: name}
		if inA {
			pair.A = &x
		}
		if inB {
			pair.B = &y
		}
		report.Checks = append(report.Checks, pair)
	}
	for _, object := range keys(a.writes, b.writes, compareObjects) {
		if a.writes[object] != b.writes[object] {
			report.Writes = append(report.Writes, WritesPair{object, a.writes[object], b.writes[object]})
		}
	}
	report.History = a.history.Compare(b.history)
	report.Outages = compareOutages(outages(a.rec, a.finder.names), outages(b.rec, b.finder.names))
	report.Final = a.finder.End(a.objects).Compare(b.finder.End(b.objects))
}

// keys are the keys of both maps, sorted.
func keys[K comparable, V any](a, b map[K]V, order func(x, y K) int) []K {
	all := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.SortFunc(all, order)
	return slices.Compact(all)
}

func compareObjects(a, b trace.Object) int {
	return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}
