package outline

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// IsKnown reports whether an outline is in the form that this package writes.
func IsKnown(data []byte) bool { return len(data) > 0 && data[0] == Version }

var errShort = errors.New("the outline is incomplete")

// Block is the outline of some records.
type Block struct {
	// First is the number of the first of N records.
	First, N int64
	// At is the virtual time of the first.
	At time.Duration
	// Table are the texts of the outline, as JSON.
	Table []byte

	objects []byte
	columns [columns][]byte
}

// Decode takes an outline apart, whose form is known.
func Decode(data []byte) (*Block, error) {
	r := reader{data[1:], false}
	b := &Block{First: int64(r.next()), N: int64(r.next())}
	b.Table, b.objects = r.part(), r.part()
	for i := range b.columns {
		b.columns[i] = r.part()
	}
	first := reader{b.columns[columnTimes], false}
	b.At = time.Duration(first.signed())
	// Each record has a byte in the column of kinds.
	if r.failed || len(r.data) > 0 || b.First < 1 || b.N < 1 || b.N > int64(len(b.columns[columnKinds])) {
		return nil, errShort
	}
	return b, nil
}

// reader reads numbers. After one that is not there, it returns zeros.
type reader struct {
	data   []byte
	failed bool
}

func (r *reader) next() uint64 {
	n, size := binary.Uvarint(r.data)
	if size <= 0 {
		r.failed, r.data = true, nil
		return 0
	}
	r.data = r.data[size:]
	return n
}

func (r *reader) signed() int64 {
	n, size := binary.Varint(r.data)
	if size <= 0 {
		r.failed, r.data = true, nil
		return 0
	}
	r.data = r.data[size:]
	return n
}

// part is a part of the data, behind its size.
func (r *reader) part() []byte {
	n := r.next()
	if n > uint64(len(r.data)) {
		r.failed, r.data = true, nil
		return nil
	}
	part := r.data[:n]
	r.data = r.data[n:]
	return part
}

// Part says which details of the records are read: columns that nobody needs are not.
type Part int

const (
	// Brief is the Record without the details of its kind, but for what refers to other records: Wrote and Webhooks of a request, Phase,
	// Start, Requeued and Error of a sync.
	Brief Part = iota
	// Syncs is Brief with all of syncs and timers.
	Syncs
	// Requests is Syncs with all of requests.
	Requests
	// Whole is everything.
	Whole
)

// decoding reads the columns of a block.
type decoding struct {
	columns  [columns]reader
	part     Part
	texts    *table
	objects  []trace.Object
	wrong    bool
	rv, seen uint64
	// used is how many of the objects records have referred to, and here the records of the block so far, the first of which is first.
	used  int
	first int64
	here  []written

	record  Record
	request trace.Request
	watch   trace.Watch
	sync    trace.Sync
	timer   trace.Timer
	check   trace.Check
}

// Records yields a part of the outlines of the records, in order. It ends at the first error. Texts that are in known are not made again.
func (b *Block) Records(part Part, known Texts) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		d, err := b.decoding(part, known)
		if err != nil {
			yield(nil, err)
			return
		}
		at := time.Duration(0)
		for i := range b.N {
			d.record.At, d.record.Seq = at, b.First+i
			if err := d.next(); err != nil {
				yield(nil, fmt.Errorf("the outline of record %d: %w", b.First+i, err))
				return
			}
			at = d.record.At
			if !yield(&d.record, nil) {
				return
			}
		}
		for i := range d.columns {
			if part == Whole && len(d.columns[i].data) > 0 {
				yield(nil, errors.New("the outline has more than its records"))
				return
			}
		}
	}
}

func (b *Block) decoding(part Part, known Texts) (*decoding, error) {
	texts, err := newTable(b.Table, known)
	if err != nil {
		return nil, err
	}
	d := &decoding{part: part, texts: texts, first: b.First}
	for i := range b.columns {
		d.columns[i].data = b.columns[i]
	}
	if part < Requests {
		return d, nil
	}
	if part == Whole {
		d.here = make([]written, 0, b.N)
	}
	var last [3]uint64
	for r := (reader{b.objects, false}); len(r.data) > 0 && !d.wrong; {
		var names [3]string
		for i := range last {
			last[i] += uint64(r.signed())
			names[i] = d.textAt(last[i], r.failed)
		}
		d.objects = append(d.objects, trace.Object{Resource: names[0], Namespace: names[1], Name: names[2]})
	}
	if d.wrong {
		return nil, errReference
	}
	return d, nil
}

var errReference = errors.New("it refers to what is not there")

// textOf is the text to which the next number of a column refers.
func (d *decoding) textOf(r *reader) string {
	n := r.next()
	return d.textAt(n, r.failed)
}

func (d *decoding) textAt(n uint64, failed bool) string {
	if !failed {
		if text, ok := d.texts.text(n); ok {
			return text
		}
	}
	d.wrong = true
	return ""
}

func (d *decoding) text(column int) string { return d.textOf(&d.columns[column]) }

// key is a text that nobody needs if only Brief is read.
func (d *decoding) key(column int) string {
	if d.part == Brief {
		d.number(column)
		return ""
	}
	return d.text(column)
}

// object is the object to which a reference refers.
func (d *decoding) object(n uint64) trace.Object {
	at := uint64(d.used) - n
	if n == 0 {
		at = uint64(d.used)
		d.used++
	}
	if at < uint64(len(d.objects)) {
		return d.objects[at]
	}
	d.wrong = true
	return trace.Object{}
}

// number is the next number of a column.
func (d *decoding) number(column int) uint64 {
	n := d.columns[column].next()
	d.wrong = d.wrong || d.columns[column].failed
	return n
}

func (d *decoding) signed(column int) int64 {
	n := d.columns[column].signed()
	d.wrong = d.wrong || d.columns[column].failed
	return n
}

// earlier is the record that is so many before the next one; 0 for none.
func (d *decoding) earlier(column int) int64 {
	n := d.number(column)
	if n == 0 {
		return 0
	}
	if n >= uint64(d.record.Seq) {
		d.wrong = true
		return 0
	}
	return d.record.Seq - int64(n)
}

// next reads the next record.
func (d *decoding) next() error {
	r := &d.record
	seq, at := r.Seq, r.At
	*r = Record{Facts: r.Facts[:0]}
	r.Seq, r.At = seq, at+time.Duration(d.signed(columnTimes))
	r.Kind = trace.Kind(d.text(columnKinds))
	flags := d.number(columnFlags)
	r.Background, r.Story, r.Failed = flags&flagBackground != 0, flags&flagStory != 0, flags&flagFailed != 0
	r.Cause, r.Actor = d.earlier(columnCauses), d.text(columnActors)
	if flags&flagFault != 0 {
		r.FaultSeq = d.earlier(columnFaults)
	}
	if flags&flagDate != 0 {
		date, err := time.Parse(time.RFC3339Nano, d.text(columnFaults))
		d.wrong = d.wrong || err != nil
		r.Date = date
	}
	d.details()
	if d.wrong {
		return errReference
	}
	if d.part == Whole {
		d.here = append(d.here, writtenBy(&r.Record))
	}
	return nil
}

// IsPlain reports whether a function that changes lines leaves the texts of the outline as they are.
func (b *Block) IsPlain(change func([]byte) []byte) bool {
	return change == nil || bytes.Equal(change(b.Table), b.Table)
}
