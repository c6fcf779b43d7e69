package recording

import (
	"bytes"

	"github.com/kubestep/kubestep/sim/trace"
)

// Diverge compares two runs and returns the indices of the first elements that differ; an index is the length of its
// run if that ends first. It returns false if there is no difference. Elements that skip selects, if any, are ignored
// in each run.
func Diverge[T any](a, b []T, skip func(T) bool, same func(x, y T) bool) (i, j int, ok bool) {
	past := func(list []T, at int) int {
		for skip != nil && at < len(list) && skip(list[at]) {
			at++
		}
		return at
	}
	for {
		i, j = past(a, i), past(b, j)
		switch {
		case i == len(a) && j == len(b):
			return i, j, false
		case i == len(a), j == len(b), !same(a[i], b[j]):
			return i, j, true
		}
		i, j = i+1, j+1
	}
}

// SameLine reports whether two records have the same line in a trace.
func SameLine(a, b *trace.Record) bool { return a == b || bytes.Equal(a.Line(), b.Line()) }

// SameEffect reports whether two records are equal except for the numbers of records and of steps, which also depend on
// notes and other records without effect.
func SameEffect(a, b *trace.Record) bool {
	return a.Kind == b.Kind && a.At == b.At && a.Actor == b.Actor && SameLine(unnumbered(a), unnumbered(b))
}

// unnumbered is a copy of a record without the numbers of records and of steps.
func unnumbered(record *trace.Record) *trace.Record {
	c := *record
	c.Seq, c.Cause, c.FaultSeq = 0, 0, 0
	if c.Sync != nil {
		sync := *c.Sync
		sync.Start = 0
		c.Sync = &sync
	}
	if c.Action != nil {
		action := *c.Action
		action.Step = 0
		c.Action = &action
	}
	return &c
}
