package recording

import (
	"bytes"
	"errors"
	"iter"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
	"github.com/kubestep/kubestep/sim/trace/file/outline"
	"github.com/kubestep/kubestep/sim/trace/file/tracefile"
)

// Damage is what a Recording panics with if it needs records of an archive that was read by its outlines, and they are not as their
// outlines say. A file that was damaged by accident has wrong checksums, and is refused when it is read.
type Damage struct{ Err error }

// Error implements error.
func (d *Damage) Error() string { return d.Err.Error() }

// Unwrap returns the *archive.Error.
func (d *Damage) Unwrap() error { return d.Err }

var (
	errLines  = errors.New("it does not have as many lines as its outline says")
	errDiffer = errors.New("its records differ from its outline")
)

// fail panics: what is wrong with a file is found when it is read (tracefile), unless only the outline of a block was read, and a text that
// this process has packed never left it.
func (b *block) fail(err error) {
	if b.outlined == 0 {
		panic("recording: " + err.Error())
	}
	panic(&Damage{tracefile.Damaged(b.offset, err, b.first-1)})
}

// fail panics because of a record.
func (r *records) fail(seq int64, err error) { r.blocks[r.of(seq)].fail(err) }

// unpack finds the lines of a block that is not decoded.
func (r *records) unpack(b *block) {
	text, err := r.codec.Unpack(b.packed, b.size)
	if err != nil {
		b.fail(err)
	}
	if b.outlined > 0 && !b.opened {
		b.opened = true
		r.opened++
	}
	if b.outlined > 0 && r.text != nil {
		text = r.text(text)
	}
	b.lines, b.records, b.left = make([][]byte, 0, b.n), make([]*trace.Record, b.n), b.n
	for line := range bytes.Lines(text) {
		b.lines = append(b.lines, bytes.TrimSuffix(line, []byte{'\n'}))
	}
	if b.outlined > 0 && len(b.lines) != b.outlined {
		b.fail(errLines)
	}
}

// decode is a record of a block by its index.
func (r *records) decode(b *block, i int) *trace.Record {
	if b.records[i] != nil {
		return b.records[i]
	}
	record, err := trace.Decode(b.lines[i])
	if err == nil && b.outlined > 0 && !r.isOutlined(record, b.first+int64(i)) {
		err = errDiffer
	}
	if err != nil {
		b.fail(err)
	}
	b.records[i] = record
	if b.left--; b.left == 0 {
		b.lines = nil
	}
	return record
}

// isOutlined reports whether a record is what the lookups say of record seq.
func (r *records) isOutlined(record *trace.Record, seq int64) bool {
	known := r.facts[seq-1]
	said := fact{record.At, record.Cause, known.actor, known.kind, trace.InStory(record)}
	if record.Seq != seq || said != known || record.Actor != r.actor(seq) || record.Kind != r.kind(seq) {
		return false
	}
	if record.Request != nil {
		for i := range record.Request.Writes {
			if !r.wrote(seq, &record.Request.Writes[i]) {
				return false
			}
		}
	}
	return true
}

// Outlines yields all records, in order, as All does, but of a block of which only the outline was read so far, the outlines (package
// outline). A record is valid until the next one.
func (r *Recording) Outlines() iter.Seq[*trace.Record] {
	return func(yield func(*trace.Record) bool) {
		texts := outline.Texts{}
		for _, b := range r.records.blocks {
			if b.outlined == 0 {
				for record := range r.records.between(b.first, b.first+int64(b.n)) {
					if !yield(record) {
						return
					}
				}
				continue
			}
			n := 0
			for record, err := range r.records.outlines(b, texts) {
				if n++; err != nil {
					b.fail(err)
				}
				if n > b.n || !yield(&record.Record) {
					return
				}
			}
		}
	}
}

// between yields the records of a block from one to before another one.
func (r *records) between(first, end int64) iter.Seq[*trace.Record] {
	return func(yield func(*trace.Record) bool) {
		for record := range r.after(first - 1) {
			if record.Seq >= end || !yield(record) {
				return
			}
		}
	}
}

// outlines yields the outlines of a block.
func (r *records) outlines(b *block, texts outline.Texts) iter.Seq2[*outline.Record, error] {
	text, err := archive.UnpackOutline(r.codec, b.outline)
	if err == nil {
		of, wrong := outline.Decode(text)
		if wrong == nil {
			return of.Records(texts)
		}
		err = wrong
	}
	return func(yield func(*outline.Record, error) bool) { yield(nil, err) }
}

// SameLines reports whether two recordings have the same lines. Blocks that were packed to the same bytes are not decompressed.
func SameLines(a, b *Recording) bool {
	if a.records == b.records {
		return true
	}
	if a.Len() != b.Len() {
		return false
	}
	var restA, restB []byte
	for i, j := 0, 0; ; {
		blockA, blockB := a.records.block(i), b.records.block(j)
		switch {
		case len(restA) == 0 && len(restB) == 0 && blockA != nil && blockB != nil && blockA.packed != nil &&
			bytes.Equal(blockA.packed, blockB.packed):
			i, j = i+1, j+1
			continue
		case len(restA) == 0 && blockA != nil:
			restA, i = a.records.lines(blockA), i+1
		case len(restB) == 0 && blockB != nil:
			restB, j = b.records.lines(blockB), j+1
		case len(restA) == 0 || len(restB) == 0:
			return len(restA) == len(restB)
		}
		n := min(len(restA), len(restB))
		if !bytes.Equal(restA[:n], restB[:n]) {
			return false
		}
		restA, restB = restA[n:], restB[n:]
	}
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
	if b.packed == nil {
		b.pack(r.codec)
	}
	text, err := r.codec.Unpack(b.packed, b.size)
	if err != nil {
		b.fail(err)
	}
	return text
}
