package outline

import (
	"encoding/binary"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/diff"
)

// Encoder makes the outlines of a trace.
type Encoder struct {
	parts parts
	// none says that no outline can be made any more: a record cannot follow those before it. noneHere says so of this block.
	none, noneHere bool

	first, n   int64
	texts      map[string]uint64
	table      []string
	objects    map[trace.Object]uint64
	tableOf    column
	columns    [columns]column
	at         time.Duration
	rv, events uint64
	// last are the numbers of the texts of the last object in the table, and here the records of the block so far.
	last [3]uint64
	here []written
}

// written is what a later record of the block can refer to: when a record was, and the object and the resourceVersion of its last write.
type written struct {
	at     time.Duration
	object trace.Object
	rv     uint64
}

func writtenBy(r *trace.Record) written {
	here := written{at: r.At}
	if r.Request != nil && len(r.Request.Writes) > 0 {
		last := &r.Request.Writes[len(r.Request.Writes)-1]
		here.object, here.rv = last.Object, last.RV
	}
	return here
}

// writtenOf is the record with a number among those of a block, which begin with first; nil if it is in another block.
func writtenOf(here []written, first, seq int64) *written {
	if i := seq - first; i >= 0 && i < int64(len(here)) {
		return &here[i]
	}
	return nil
}

// NewEncoder returns an Encoder before the first record.
func NewEncoder() *Encoder {
	e := &Encoder{parts: parts{}}
	e.reset()
	return e
}

func (e *Encoder) reset() {
	e.noneHere, e.first, e.n, e.at, e.rv, e.events = false, 0, 0, 0, 0, 0
	e.texts, e.table, e.objects, e.tableOf = map[string]uint64{}, nil, map[trace.Object]uint64{}, nil
	e.columns, e.last, e.here = [columns]column{}, [3]uint64{}, nil
}

// Block is the outline of the records that were added since the last block; nil if they have none. A halt has none, and neither has
// what cannot be a trace, nor what follows.
func (e *Encoder) Block() []byte {
	defer e.reset()
	if e.none || e.noneHere || e.n == 0 {
		return nil
	}
	table, err := json.Marshal(e.table)
	if err != nil {
		panic("outline: texts do not marshal: " + err.Error())
	}
	out := column{Version}
	out.put(uint64(e.first))
	out.put(uint64(e.n))
	for _, part := range append([]column{table, e.tableOf}, e.columns[:]...) {
		out.put(uint64(len(part)))
		out = append(out, part...)
	}
	return out
}

// column is the numbers of a column.
type column []byte

func (c *column) put(n uint64)      { *c = binary.AppendUvarint(*c, n) }
func (c *column) putSigned(n int64) { *c = binary.AppendVarint(*c, n) }

// text is the number of a text in the table.
func (e *Encoder) text(text string) uint64 {
	n, known := e.texts[text]
	if !known {
		n = uint64(len(e.table))
		e.texts[text], e.table = n, append(e.table, text)
	}
	return n
}

// object is the reference to an object: 0 for one that is new to the block, or else how many objects ago it was new, from 1.
func (e *Encoder) object(o trace.Object) uint64 {
	if n, known := e.objects[o]; known {
		return uint64(len(e.objects)) - n
	}
	e.objects[o] = uint64(len(e.objects))
	for i, text := range []string{o.Resource, o.Namespace, o.Name} {
		n := e.text(text)
		e.tableOf.putSigned(int64(n - e.last[i]))
		e.last[i] = n
	}
	return 0
}

// Add adds the next record.
func (e *Encoder) Add(r *trace.Record) {
	if e.none {
		return
	}
	if e.n == 0 {
		e.first = r.Seq
	}
	if r.Seq != e.first+e.n || r.Cause >= r.Seq || r.Cause < 0 || r.FaultSeq >= r.Seq || r.FaultSeq < 0 {
		e.none = true
		return
	}
	e.n++
	c := &e.columns
	flags := bit(flagBackground, r.Background) | bit(flagStory, trace.InStory(r)) | bit(flagFailed, trace.IsError(r)) |
		bit(flagFault, r.FaultSeq != 0) | bit(flagDate, !r.Date.IsZero())
	c[columnKinds].put(e.text(string(r.Kind)))
	c[columnFlags].put(flags)
	c[columnTimes].putSigned(int64(r.At - e.at))
	e.at = r.At
	c[columnCauses].put(back(r, r.Cause))
	c[columnActors].put(e.text(r.Actor))
	if r.FaultSeq != 0 {
		c[columnFaults].put(back(r, r.FaultSeq))
	}
	if !r.Date.IsZero() {
		c[columnFaults].put(e.text(r.Date.Format(time.RFC3339Nano)))
	}
	e.details(r)
	e.here = append(e.here, writtenBy(r))
}

// bit is a flag that is set, or 0.
func bit(flag uint64, set bool) uint64 {
	if set {
		return flag
	}
	return 0
}

// back is how many records before r another one is; 0 for none.
func back(r *trace.Record, seq int64) uint64 {
	if seq == 0 {
		return 0
	}
	return uint64(r.Seq - seq)
}

func (e *Encoder) details(r *trace.Record) {
	switch c := &e.columns; {
	case r.Request != nil:
		e.request(r)
	case r.Watch != nil:
		e.watch(r)
	case r.Sync != nil:
		e.sync(r)
	case r.Timer != nil:
		c[columnTimers].put(e.text(r.Timer.Queue))
		c[columnTimers].put(e.text(r.Timer.Key))
	case r.Container != nil:
		c[columnDetails].put(e.text(r.Container.UID))
	case r.Fault != nil:
		c[columnDetails].put(e.text(r.Fault.Verb))
		c[columnDetails].put(e.text(r.Fault.Effect))
	case r.Halt != nil:
		e.noneHere = true
	}
}

// watch adds a watch event. Most have just what their cause has written.
func (e *Encoder) watch(r *trace.Record) {
	w, c := r.Watch, &e.columns
	c[columnTypes].put(e.text(w.Type))
	cause := writtenOf(e.here, e.first, r.Cause)
	if cause != nil && cause.object == w.Object && cause.rv == w.RV && cause.at == w.Written {
		c[columnWatched].put(0)
		return
	}
	c[columnWatched].put(e.object(w.Object) + 1)
	c[columnReceived].putSigned(int64(w.RV - e.events))
	c[columnLags].putSigned(int64(r.At - w.Written))
	e.events = w.RV
}

func (e *Encoder) sync(r *trace.Record) {
	s, c := r.Sync, &e.columns
	c[columnSyncs].put(e.text(string(s.Phase)))
	c[columnSyncs].put(e.text(s.Queue))
	c[columnSyncs].put(e.text(s.Key))
	if s.Phase == trace.PhaseStart {
		return
	}
	if s.Start >= r.Seq || s.Start < 0 {
		e.none = true
	}
	c[columnStarts].put(back(r, s.Start))
	c[columnStarts].put(bit(flagRequeued, s.Requeued) | bit(flagError, s.Error != ""))
}

func (e *Encoder) request(r *trace.Record) {
	q, c := r.Request, &e.columns
	c[columnVerbs].put(e.text(q.Verb))
	c[columnRequests].put(e.object(q.Object))
	c[columnSubresources].put(e.text(q.Subresource))
	c[columnCodes].putSigned(int64(q.Code))
	if q.Verb == verbList {
		rv, err := strconv.ParseUint(q.RV, 10, 64)
		if err == nil {
			rv++
		}
		c[columnLists].put(rv)
	}
	c[columnWebhooks].put(uint64(len(q.Webhooks)))
	for _, seq := range q.Webhooks {
		if seq >= r.Seq || seq < 1 {
			e.none = true
		}
		c[columnWebhooks].put(back(r, seq))
	}
	c[columnWrites].put(uint64(len(q.Writes)))
	for i := range q.Writes {
		e.write(&q.Writes[i], q.Object)
	}
}

const verbList = "list"

// write adds a write of a request for an object, which is mostly the one that is written.
func (e *Encoder) write(w *trace.Write, of trace.Object) {
	c := &e.columns
	c[columnOps].put(e.text(string(w.Op)))
	if w.Object == of {
		c[columnWritten].put(0)
	} else {
		c[columnWritten].put(e.object(w.Object) + 1)
	}
	c[columnRevisions].putSigned(int64(w.RV - e.rv))
	c[columnWanted].put(bit(1, slices.ContainsFunc(w.Changes, func(c diff.Change) bool { return IsWanted(c.Path) })))
	e.rv = w.RV
	if !HasFacts(w.Resource) {
		return
	}
	facts, err := e.parts.write(w)
	switch {
	case err != nil:
		e.none = true
		return
	case w.Op == trace.OpDelete:
		return
	case w.Op == trace.OpCreate:
		c[columnUIDs].put(e.text(w.UID))
	}
	c[columnOwners].put(e.text(facts.Owner))
	if w.Resource != pods {
		c[columnMinReady].putSigned(facts.MinReady)
		return
	}
	flags := bit(flagReady, facts.Ready) | bit(flagTerminating, facts.Terminating)
	for _, n := range []uint64{e.text(facts.Phase), e.text(facts.Node), e.text(facts.Revision), flags} {
		c[columnPods].put(n)
	}
}
