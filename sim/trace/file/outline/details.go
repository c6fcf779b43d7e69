package outline

import (
	"strconv"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/diff"
	"github.com/kubestep/kubestep/sim/trace/review"
)

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
		r.Watch = &d.watch
		switch d.part {
		case Whole:
			d.readWatch()
		case Requests:
			// Requests can refer to its object.
			if reference := d.number(columnWatched); reference > 0 {
				d.object(reference - 1)
			}
		}
	case trace.KindSync:
		d.sync = trace.Sync{Phase: trace.Phase(d.text(columnSyncs)), Queue: d.key(columnSyncs), Key: d.key(columnSyncs)}
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
		d.timer = trace.Timer{Queue: d.key(columnTimers), Key: d.key(columnTimers)}
		r.Timer = &d.timer
	case trace.KindCheck:
		d.check = trace.Check{Passed: !r.Failed}
		r.Check = &d.check
	case trace.KindContainer:
		r.Container = &trace.Container{}
		if d.part == Whole {
			r.Container.UID = d.text(columnDetails)
		}
	case trace.KindFault:
		r.Fault = &trace.Fault{}
		if d.part == Whole {
			r.Fault.Verb, r.Fault.Effect = d.text(columnDetails), d.text(columnDetails)
		}
	default:
		if add := empty[r.Kind]; add != nil {
			add(&r.Record)
		}
	}
}

func (d *decoding) readWatch() {
	d.watch = trace.Watch{Type: d.text(columnTypes)}
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
	for range d.count(columnWebhooks) {
		q.Webhooks = append(q.Webhooks, d.earlier(columnWebhooks))
	}
	writes := d.count(columnWrites)
	d.record.Wrote = writes > 0
	if d.part < Requests {
		return
	}
	q.Subresource = d.text(columnSubresources)
	q.Verb, q.Object, q.Code = d.text(columnVerbs), d.object(d.number(columnRequests)), int(d.signed(columnCodes))
	if q.Verb == verbList {
		if rv := d.number(columnLists); rv > 0 {
			q.RV = strconv.FormatUint(rv-1, 10)
		}
	}
	for range writes {
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
