package outline

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/diff"
	"github.com/kubestep/kubestep/sim/trace/review"
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

// Texts has each text of some outlines once.
type Texts map[string]string

// decoding reads the columns of a block.
type decoding struct {
	columns  [columns]reader
	texts    []string
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

// Records yields the outlines of the records, in order. It ends at the first error. Texts that are in known are not made again.
func (b *Block) Records(known Texts) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		d, err := b.decoding(known)
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
			if len(d.columns[i].data) > 0 {
				yield(nil, errors.New("the outline has more than its records"))
				return
			}
		}
	}
}

func (b *Block) decoding(known Texts) (*decoding, error) {
	d := &decoding{}
	if err := json.Unmarshal(b.Table, &d.texts); err != nil {
		return nil, fmt.Errorf("the texts of the outline: %w", err)
	}
	for i, text := range d.texts {
		same, ok := known[text]
		if !ok && known != nil {
			known[text], same = text, text
		}
		if known != nil {
			d.texts[i] = same
		}
	}
	for i := range b.columns {
		d.columns[i].data = b.columns[i]
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
	d.first = b.First
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
	if !failed && n < uint64(len(d.texts)) {
		return d.texts[n]
	}
	d.wrong = true
	return ""
}

func (d *decoding) text(column int) string { return d.textOf(&d.columns[column]) }

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
	d.here = append(d.here, writtenBy(&r.Record))
	return nil
}

// empty are the details of kinds of which an outline has none.
var empty = map[trace.Kind]func(*trace.Record){
	trace.KindEnqueue: func(r *trace.Record) { r.Enqueue = &trace.Enqueue{} },
	trace.KindWebhook: func(r *trace.Record) { r.Webhook = &review.Review{} },
	trace.KindAction:  func(r *trace.Record) { r.Action = &trace.Action{} },
	trace.KindNote:    func(r *trace.Record) { r.Note = &trace.Note{} },
	trace.KindShow:    func(r *trace.Record) { r.Show = &trace.Show{} },
	trace.KindAsk:     func(r *trace.Record) { r.Ask = &trace.Ask{} },
	trace.KindAnswer:  func(r *trace.Record) { r.Answer = &trace.Answer{} },
}

func (d *decoding) details() {
	switch r := &d.record; r.Kind {
	case trace.KindRequest:
		d.readRequest()
	case trace.KindWatch:
		d.readWatch()
	case trace.KindSync:
		d.sync = trace.Sync{Phase: trace.Phase(d.text(columnSyncs)), Queue: d.text(columnSyncs), Key: d.text(columnSyncs)}
		r.Sync = &d.sync
		if d.sync.Phase == trace.PhaseStart {
			return
		}
		d.sync.Start = d.earlier(columnStarts)
		flags := d.number(columnStarts)
		d.sync.Requeued = flags&flagRequeued != 0
		if flags&flagError != 0 {
			d.sync.Error = "in the record"
		}
	case trace.KindTimer:
		d.timer = trace.Timer{Queue: d.text(columnTimers), Key: d.text(columnTimers)}
		r.Timer = &d.timer
	case trace.KindCheck:
		d.check = trace.Check{Passed: !r.Failed}
		r.Check = &d.check
	case trace.KindContainer:
		r.Container = &trace.Container{UID: d.text(columnDetails)}
	case trace.KindFault:
		r.Fault = &trace.Fault{Verb: d.text(columnDetails), Effect: d.text(columnDetails)}
	default:
		if add := empty[r.Kind]; add != nil {
			add(&r.Record)
		}
	}
}

func (d *decoding) readWatch() {
	d.watch = trace.Watch{Type: d.text(columnTypes)}
	d.record.Watch = &d.watch
	reference := d.number(columnWatched)
	if reference == 0 {
		cause := writtenOf(d.here, d.first, d.record.Cause)
		if cause == nil {
			d.wrong = true
			return
		}
		d.watch.Object, d.watch.RV, d.watch.Written = cause.object, cause.rv, cause.at
		return
	}
	d.watch.Object = d.object(reference - 1)
	d.seen += uint64(d.signed(columnReceived))
	d.watch.RV, d.watch.Written = d.seen, d.record.At-time.Duration(d.signed(columnLags))
}

func (d *decoding) readRequest() {
	q := &d.request
	*q = trace.Request{Webhooks: q.Webhooks[:0], Writes: q.Writes[:0]}
	d.record.Request = q
	q.Subresource = d.text(columnSubresources)
	q.Verb, q.Object, q.Code = d.text(columnVerbs), d.object(d.number(columnRequests)), int(d.signed(columnCodes))
	if q.Verb == verbList {
		if rv := d.number(columnLists); rv > 0 {
			q.RV = strconv.FormatUint(rv-1, 10)
		}
	}
	for range d.count(columnWebhooks) {
		q.Webhooks = append(q.Webhooks, d.earlier(columnWebhooks))
	}
	for range d.count(columnWrites) {
		if d.wrong {
			return
		}
		d.write()
	}
}

// wantedChange stands for the changes of an update that changes what is wanted.
var wantedChange = []diff.Change{{Path: wanted}}

// count is how many elements follow. Each has a byte at least.
func (d *decoding) count(column int) int {
	n := d.number(column)
	limit := len(d.columns[column].data)
	if column == columnWrites {
		limit = len(d.columns[columnOps].data)
	}
	if n > uint64(limit) {
		d.wrong = true
		return 0
	}
	return int(n)
}

func (d *decoding) write() {
	w := trace.Write{Op: trace.Op(d.text(columnOps)), Object: d.request.Object}
	if reference := d.number(columnWritten); reference > 0 {
		w.Object = d.object(reference - 1)
	}
	d.rv += uint64(d.signed(columnRevisions))
	w.RV = d.rv
	if d.number(columnWanted) > 0 {
		w.Changes = wantedChange
	}
	facts := Facts{}
	if w.Op != trace.OpDelete && HasFacts(w.Resource) {
		if w.Op == trace.OpCreate {
			w.UID = d.text(columnUIDs)
		}
		facts.Owner = d.text(columnOwners)
		if w.Resource == pods {
			facts.Phase, facts.Node, facts.Revision = d.text(columnPods), d.text(columnPods), d.text(columnPods)
			flags := d.number(columnPods)
			facts.Ready, facts.Terminating = flags&flagReady != 0, flags&flagTerminating != 0
		} else {
			facts.MinReady = d.signed(columnMinReady)
		}
	}
	d.request.Writes, d.record.Facts = append(d.request.Writes, w), append(d.record.Facts, facts)
}

// IsPlain reports whether a function that changes lines leaves the texts of the outline as they are.
func (b *Block) IsPlain(change func([]byte) []byte) bool {
	return change == nil || bytes.Equal(change(b.Table), b.Table)
}
