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

// fail panics: what is wrong with a file is found when it is read (tracefile), unless only the outline of a block was read, or those of
// blocks before it, and a text that this process has packed never left it.
func (b *block) fail(err error) {
	if b.offset == 0 {
		panic("recording: " + err.Error())
	}
	panic(&Damage{tracefile.Damaged(b.offset, err, b.first-1)})
}

// fail panics because of a record.
func (r *records) fail(seq int64, err error) { r.blocks[r.of(seq)].fail(err) }

// isPacked reports whether the compressed lines of a block are known.
func (b *block) isPacked() bool { return b.packed != nil || b.entry != nil }

// packed are the compressed lines of a block that has them.
func (r *records) packed(b *block) []byte {
	if b.entry == nil {
		return b.packed
	}
	_, lines := r.read(b)
	return lines
}

// read reads a block from the file.
func (r *records) read(b *block) (outline, lines []byte) {
	outline, lines, err := archive.ReadBlock(r.kept, *b.entry)
	if err != nil {
		b.fail(err)
	}
	return outline, lines
}

// unpack finds the lines of a block that is not decoded.
func (r *records) unpack(b *block) {
	r.unpacked.Add(1)
	text, err := r.codec.Unpack(r.packed(b), b.size)
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
	if b.outlined > 0 && b.said == nil {
		b.said = make([]uint64, 0, b.outlined)
		for said, err := range r.outlines(b, outline.Whole, nil) {
			if err != nil {
				b.fail(err)
			}
			b.said = append(b.said, outline.Digest(&said.Record))
		}
	}
}

// decode is a record of a block by its index.
func (r *records) decode(b *block, i int) *trace.Record {
	if b.records[i] != nil {
		return b.records[i]
	}
	record, err := trace.Decode(b.lines[i])
	if err == nil && b.outlined > 0 && !r.isOutlined(record, b, i) {
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

// isOutlined reports whether a record is what the outline of its block says of the record with an index, and what facts say.
func (r *records) isOutlined(record *trace.Record, b *block, i int) bool {
	known := r.facts.of(b.first + int64(i))
	story, failed := known.is&isStory != 0, known.is&isFailed != 0
	return outline.Digest(record) == b.said[i] && trace.InStory(record) == story && trace.IsError(record) == failed
}

// between yields the records of a block from one to before another one.
func (r *records) between(first, end int64) iter.Seq[*trace.Record] {
	return func(yield func(*trace.Record) bool) {
		for record := range r.after(first-1, nil) {
			if record.Seq >= end || !yield(record) {
				return
			}
		}
	}
}

// outlines yields a part of the outlines of a block.
func (r *records) outlines(b *block, part outline.Part, texts outline.Texts) iter.Seq2[*outline.Record, error] {
	packed := b.outline
	if b.entry != nil {
		packed, _ = r.read(b)
	}
	text, err := archive.UnpackOutline(r.codec, packed)
	if err == nil {
		of, wrong := outline.Decode(text)
		if wrong == nil {
			return of.Records(part, texts)
		}
		err = wrong
	}
	return func(yield func(*outline.Record, error) bool) { yield(nil, err) }
}
