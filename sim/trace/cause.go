package trace

import (
	"cmp"
	"strings"
	"time"
)

// Causes describes the causes of records. It looks up records by their numbers, wherever they are: TextWriter keeps a
// summary of the last ones, and a recording has them all.
type Causes struct {
	// recall returns the summary of a record; false if it is unknown.
	recall func(seq int64) (link, bool)
	// recorded is nil while the run has not ended.
	recorded Recorded
}

// Recorded is a finished run.
type Recorded interface {
	// Record returns a record by its number, or nil if there is none.
	Record(seq int64) *Record
	// SyncResult is the end of the sync that began with a record, nil if it did not end, and whether one of its
	// requests was refused with 409 Conflict.
	SyncResult(start int64) (end *Record, conflict bool)
}

// NewCauses returns the Causes of a finished run.
func NewCauses(run Recorded) *Causes {
	return &Causes{recorded: run, recall: func(seq int64) (link, bool) {
		record := run.Record(seq)
		if record == nil {
			return link{}, false
		}
		l := linkOf(record, 0)
		if l.kind == KindSync {
			l.text = problemText(run.SyncResult(seq))
		}
		return l, true
	}}
}

// link is one record in a chain of causes.
type link struct {
	seq, cause int64
	at         time.Duration
	kind       Kind
	actor      string
	background bool
	// text is, for a watch event, what changed; for a write, what it changed; for a sync, how it ended; for an enqueue
	// without a cause, what is known of it.
	text string
}

// linkOf summarizes a record as a cause. What it changed is cut to a width; 0 means no limit.
func linkOf(record *Record, width int) link {
	l := link{seq: record.Seq, cause: record.Cause, at: record.At, kind: record.Kind, actor: record.Actor, background: record.Background}
	switch {
	case record.Request != nil && (len(record.Request.Writes) > 0 || record.Request.Verb == "list"):
		l.text = causeText(record.Request, width)
	case record.Watch != nil:
		l.text = objectName(record.Watch.Object) + " " + record.Watch.Type
	case record.Action != nil:
		l.text = record.Action.Verb
	case record.Enqueue != nil && record.Enqueue.Resync:
		l.text = "because of the resync of its informer"
	}
	return l
}

const conflictText = "409 Conflict"

// problemText describes briefly why a sync has to be retried; "" if it does not.
func problemText(end *Record, conflict bool) string {
	switch {
	case end != nil && end.Sync.Error != "":
		return errorText(end.Sync)
	case conflict:
		return conflictText
	}
	return ""
}

// errorText describes the error of a sync briefly; "" for none.
func errorText(s *Sync) string {
	switch {
	case s.Stale:
		return "waiting for its cache"
	case s.Error != "":
		return "an error"
	}
	return ""
}

// causeText describes a request as the cause of a sync: the first thing that it did.
func causeText(r *Request, width int) string {
	if len(r.Writes) == 0 {
		return listText + objectName(r.Object)
	}
	w := &r.Writes[0]
	switch w.Op {
	case OpCreate:
		return "created"
	case OpDelete:
		return "removed"
	}
	if len(r.Writes) > 1 && r.Writes[len(r.Writes)-1].Op == OpDelete {
		return "removed"
	}
	return limited(Summarize(w), width)
}

// listText precedes the resource that an informer listed to fill its cache.
const listText = "list "

// routine reports whether the chain that ends in a record begins with a heartbeat or another periodic event. What
// happens before time zero is background, too, but happens once.
func (c *Causes) routine(seq int64) bool {
	l, ok := c.recall(seq)
	for ; ok && (l.kind == KindEnqueue || l.kind == KindWatch); l, ok = c.recall(l.cause) {
	}
	return ok && l.kind == KindRequest && l.background && l.at >= 0 && !strings.HasPrefix(l.text, listText)
}

// TooFarBack stands for a cause that is not remembered any more.
const TooFarBack = "a record too far back"

// Because describes why a sync of an actor runs: it follows the chain from the record that filled the queue.
func (c *Causes) Because(actor string, seq int64) string {
	retry := ""
	for range 1000 {
		l, ok := c.recall(seq)
		switch {
		case seq == 0:
			return strings.TrimPrefix(retry, "; ")
		case !ok:
			return "because of " + TooFarBack + retry
		}
		switch l.kind {
		case KindEnqueue:
			if l.cause == 0 {
				return cmp.Or(l.text, "because of its start or its own timer") + retry
			}
			seq = l.cause
		case KindTimer:
			sync, ok := c.recall(l.cause)
			if !ok || sync.kind != KindSync {
				return "because its own timer ran out" + retry
			}
			if sync.text == "" {
				return "because its sync of " + Seconds(sync.at) + " requeued it" + retry
			}
			if retry == "" {
				retry = retryMark + sync.text
			}
			seq = sync.cause
		default:
			return c.reason(actor, l) + retry
		}
	}
	return ""
}

// retryMark precedes the problem of the previous sync.
const retryMark = "; retry after "

// reason describes the end of a chain of causes.
func (c *Causes) reason(actor string, l link) string {
	switch l.kind {
	case KindWatch:
		return "because " + l.text + c.writer(actor, l.cause)
	case KindSync:
		return "because its sync of " + Seconds(l.at) + " requested it"
	case KindAction:
		return "because of step " + l.text
	}
	if l.kind != KindRequest {
		return "because of " + strings.TrimSpace(l.actor+" "+string(l.kind))
	}
	if listed, ok := strings.CutPrefix(l.text, listText); ok {
		return "because " + listed + " were listed"
	}
	return "because of a request" + c.writer(actor, l.seq)
}

// writer describes who made a write, and what it changed.
func (c *Causes) writer(actor string, seq int64) string {
	l, ok := c.recall(seq)
	if !ok || l.kind != KindRequest {
		return ""
	}
	who := l.actor
	if who == actor {
		who = "itself"
	}
	switch l.text {
	case "":
		return " (by " + who + ")"
	case "created", "removed":
		return " (" + l.text + " by " + who + ")"
	}
	return " (by " + who + ": " + l.text + ")"
}

// place nests the row of what a sync or a step of the scenario caused below it. An Event outside of a sync names its
// object.
func (c *Causes) place(row *Row, record *Record) {
	l, ok := c.recall(record.Cause)
	row.Nested = ok && (l.kind == KindSync || l.kind == KindAction) && record.Action == nil
	if record.Event != nil && !row.Nested {
		row.Outcome = strings.TrimSpace("on " + objectName(record.Event.Regarding) + " " + row.Outcome)
	}
}

// Row is the row of a record with information from other records: why a sync ran or a key was queued, who made the
// write of a watch event and, if the run has ended, how a sync ended.
func (c *Causes) Row(record *Record) Row {
	row := Describe(record)
	row.Seq = record.Seq
	switch {
	case record.Sync != nil && record.Sync.Phase == PhaseEnd:
	case record.Sync != nil, record.Enqueue != nil:
		row.Detail = c.Because(record.Actor, record.Cause)
	case record.Watch != nil:
		row.Detail += c.writer("", record.Cause)
	default:
		c.place(&row, record)
	}
	if c.recorded != nil && record.Sync != nil && record.Sync.Phase == PhaseStart {
		row.Outcome = unfinished
		if end, conflict := c.recorded.SyncResult(record.Seq); end != nil {
			row.Outcome = syncOutcome(end.Sync, conflict)
		}
	}
	return row
}

// unfinished is the outcome of a sync that has not ended.
const unfinished = "in progress"
