package recording

import (
	"bytes"
	"iter"
	"slices"

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

// FirstDifference is the number of the first record of which two recordings do not have the same line; that of a record which only one
// of them has, if the other one ends before. It returns false if there is none. Blocks that were packed to the same bytes are not
// decompressed, and records with the same bytes are not decoded.
func FirstDifference(a, b *Recording) (seq int64, ok bool) {
	if a.records == b.records {
		return 0, false
	}
	linesA, linesB := lines{records: a.records}, lines{records: b.records}
	for seq = 1; ; {
		if n := linesA.skip(&linesB); n > 0 {
			seq += int64(n)
			continue
		}
		x, moreA := linesA.next()
		y, moreB := linesB.next()
		switch {
		case !moreA && !moreB:
			return 0, false
		case !moreA, !moreB, !bytes.Equal(x, y) && !SameLine(a.Record(seq), b.Record(seq)):
			return seq, true
		}
		seq++
	}
}

// SameLines reports whether two recordings have the same lines.
func SameLines(a, b *Recording) bool {
	if a.Len() != b.Len() {
		return false
	}
	_, differ := FirstDifference(a, b)
	return !differ
}

// lines are the lines of a recording that follow: rest, and those of the blocks from an index on.
type lines struct {
	records *records
	at      int
	rest    []byte
}

// skip skips a block that the other lines have, too, and returns how many lines it has.
func (l *lines) skip(other *lines) int {
	a, b := l.records.block(l.at), other.records.block(other.at)
	if len(l.rest) > 0 || len(other.rest) > 0 || a == nil || b == nil || a.n != b.n || !a.isPacked() || !b.isPacked() {
		return 0
	}
	if !bytes.Equal(l.records.packed(a), other.records.packed(b)) {
		return 0
	}
	l.at++
	other.at++
	return a.n
}

// next is the next line; false at the end.
func (l *lines) next() ([]byte, bool) {
	if len(l.rest) == 0 {
		b := l.records.block(l.at)
		if b == nil {
			return nil, false
		}
		l.rest = l.records.lines(b)
		l.at++
	}
	line, rest, _ := bytes.Cut(l.rest, []byte{'\n'})
	l.rest = rest
	return line, true
}

// block is a block by its index, or nil.
func (r *records) block(i int) *block {
	if i >= len(r.blocks) {
		return nil
	}
	return r.blocks[i]
}

// lines are the lines of a block.
func (r *records) lines(b *block) []byte {
	if !b.isPacked() {
		b.pack(r.codec)
	}
	text, err := r.codec.Unpack(r.packed(b), b.size)
	if err != nil {
		b.fail(err)
	}
	return text
}

// AllOf yields all records of some kinds, in order, as All does. Others are not decoded.
func (r *Recording) AllOf(kinds ...trace.Kind) iter.Seq[*trace.Record] {
	wanted := make([]bool, len(r.records.facts.kinds))
	for i, kind := range r.records.facts.kinds {
		wanted[i] = slices.Contains(kinds, kind)
	}
	return r.records.after(0, func(f *fact) bool { return wanted[f.kind] })
}
