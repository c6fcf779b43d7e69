package trace

import (
	"fmt"
	"strconv"
	"strings"
)

// kindOf is one row of the table of kinds.
type kindOf struct {
	kind Kind
	// has reports whether a record has the part with the details of this kind: the field that is named as the kind is.
	has func(*Record) bool
	// describe fills the row of such a record.
	describe func(*Row, *Record)
}

// recordKinds is the table of kinds. The decoder, the text and the reference have no other list: a kind is a constant, a field of
// Record, and a row here.
var recordKinds = []kindOf{
	{KindRequest, func(r *Record) bool { return r.Request != nil }, func(row *Row, r *Record) { describeRequest(row, r.Request) }},
	{KindWatch, func(r *Record) bool { return r.Watch != nil }, describeWatch},
	{KindEnqueue, func(r *Record) bool { return r.Enqueue != nil }, func(row *Row, r *Record) {
		row.Object = keyOrQueue(r.Enqueue.Key, r.Enqueue.Queue)
	}},
	{KindSync, func(r *Record) bool { return r.Sync != nil }, func(row *Row, r *Record) { describeSync(row, r.Sync) }},
	{KindTimer, func(r *Record) bool { return r.Timer != nil }, func(row *Row, r *Record) {
		row.Object, row.Detail = keyOrQueue(r.Timer.Key, r.Timer.Queue), "requeued later"
	}},
	{KindLog, func(r *Record) bool { return r.Log != nil }, func(row *Row, r *Record) { describeLog(row, r.Log) }},
	{KindEvent, func(r *Record) bool { return r.Event != nil }, describeEvent},
	{KindWebhook, func(r *Record) bool { return r.Webhook != nil }, describeWebhook},
	{KindContainer, func(r *Record) bool { return r.Container != nil }, describeContainer},
	{KindCall, func(r *Record) bool { return r.Call != nil }, describeCall},
	{KindFault, func(r *Record) bool { return r.Fault != nil }, func(row *Row, r *Record) { describeFault(row, r.Fault) }},
	{KindAction, func(r *Record) bool { return r.Action != nil }, func(row *Row, r *Record) { describeAction(row, r.Action) }},
	{KindCheck, func(r *Record) bool { return r.Check != nil }, func(row *Row, r *Record) { describeCheck(row, r.Check) }},
	{KindFuture, func(r *Record) bool { return r.Future != nil }, func(row *Row, r *Record) {
		row.Actor, row.Object = "", "seed "+strconv.FormatInt(r.Future.Seed, 10)
	}},
	{KindNote, func(r *Record) bool { return r.Note != nil }, func(row *Row, r *Record) { row.Actor, row.Detail = "", r.Note.Text }},
	{KindShow, func(r *Record) bool { return r.Show != nil }, func(row *Row, r *Record) {
		row.Actor, row.Object, row.Detail = "", r.Show.View, strings.Join(r.Show.Focus, " ")
	}},
	{KindAsk, func(r *Record) bool { return r.Ask != nil }, describeAsk},
	{KindAnswer, func(r *Record) bool { return r.Answer != nil }, func(row *Row, r *Record) {
		row.Actor, row.Detail, row.Outcome = "", r.Answer.Text, oneLine(r.Answer.Explain)
	}},
	// A halt has no row of its own: it is the reason why the text ends.
	{KindHalt, func(r *Record) bool { return r.Halt != nil }, func(*Row, *Record) {}},
}

// Kinds lists the kinds of records.
func Kinds() []Kind {
	list := make([]Kind, len(recordKinds))
	for i, k := range recordKinds {
		list[i] = k.kind
	}
	return list
}

// whole reports that a record lacks the part that its kind names, or has that of another kind. Records of unknown kinds,
// which a newer kubestep may write, have none of the parts that are known here.
func (r *Record) whole() error {
	for _, k := range recordKinds {
		switch has := k.has(r); {
		case k.kind == r.Kind && !has:
			return fmt.Errorf("record %d of kind %q has no field %q", r.Seq, r.Kind, k.kind)
		case k.kind != r.Kind && has:
			return fmt.Errorf("record %d of kind %q has the field %q, which is that of another kind", r.Seq, r.Kind, k.kind)
		}
	}
	return nil
}

// Describe returns the row of a single record, without what only other records say, such as the description of the
// cause of a sync; TextWriter adds it.
func Describe(record *Record) Row {
	row := Row{At: record.At, Actor: record.Actor, Verb: string(record.Kind)}
	for _, k := range recordKinds {
		if k.has(record) {
			k.describe(&row, record)
			break
		}
	}
	return row
}

func describeWatch(row *Row, record *Record) {
	w := record.Watch
	row.Verb, row.Object, row.Detail = "watch", objectName(w.Object), w.Type
	if w.RV > 0 {
		row.Outcome = "rv " + strconv.FormatUint(w.RV, 10)
	}
	if w.Written > 0 {
		row.Outcome += ", " + lag(record.At-w.Written) + " old"
	}
}

func describeEvent(row *Row, record *Record) {
	e := record.Event
	row.Object, row.Detail = e.Type+" "+e.Reason, strconv.Quote(e.Message)
	if e.Count > 1 {
		row.Outcome = times(e.Count)
	}
}

func describeWebhook(row *Row, record *Record) {
	w := record.Webhook
	row.Object, row.Detail, row.Outcome = partName(Object{w.Resource, w.Namespace, w.Name}, w.Subresource), w.Text(), "by "+w.Hook
}

func describeAsk(row *Row, record *Record) {
	row.Actor, row.Detail = "", oneLine(record.Ask.Question)
	if len(record.Ask.Choices) > 0 {
		row.Detail += " (" + strings.Join(record.Ask.Choices, " / ") + ")"
	}
}
