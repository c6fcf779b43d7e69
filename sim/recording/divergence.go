package recording

import (
	"bytes"
	"iter"

	"github.com/kubestep/kubestep/sim/trace"
)

// Diverge compares two runs and returns the indices of the first elements that differ; an index is the length of its
// run if that ends first. It returns false if there is no difference. Elements that skip selects, if any, are ignored
// in each run.
func Diverge[T any](a, b iter.Seq[T], skip func(T) bool, same func(x, y T) bool) (i, j int, ok bool) {
	nextA, stopA := iter.Pull(a)
	defer stopA()
	nextB, stopB := iter.Pull(b)
	defer stopB()
	past := func(next func() (T, bool), at *int) (T, bool) {
		value, more := next()
		for more && skip != nil && skip(value) {
			*at++
			value, more = next()
		}
		return value, more
	}
	for {
		x, moreA := past(nextA, &i)
		y, moreB := past(nextB, &j)
		switch {
		case !moreA && !moreB:
			return i, j, false
		case !moreA, !moreB, !same(x, y):
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
