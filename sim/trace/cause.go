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
	// listed is what an informer listed to fill its cache; empty for other records.
	listed string
}

// linkOf summarizes a record as a cause. What it changed is cut to a width; 0 means no limit.
func linkOf(record *Record, width int) link {
	l := link{seq: record.Seq, cause: record.Cause, at: record.At, kind: record.Kind, actor: record.Actor, background: record.Background}
	switch {
	case record.Request != nil && (len(record.Request.Writes) > 0 || record.Request.Verb == "list"):
		l.text, l.listed = causeText(record.Request, width)
	case record.Watch != nil:
		l.text = objectName(record.Watch.Object) + " " + record.Watch.Type
	case record.Action != nil:
		l.text = record.Action.Verb
	case record.Enqueue != nil && record.Enqueue.Resync:
		l.text = "the resync of its informer"
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

// causeText describes a request as the cause of a sync: the first thing that it did, or what it listed.
func causeText(r *Request, width int) (text, listed string) {
	if len(r.Writes) == 0 {
		listed = objectName(r.Object)
		return "list " + listed, listed
	}
	w := &r.Writes[0]
	switch w.Op {
	case OpCreate:
		return "created", ""
	case OpDelete:
		return "removed", ""
	}
	if len(r.Writes) > 1 && r.Writes[len(r.Writes)-1].Op == OpDelete {
		return "removed", ""
	}
	return limited(Summarize(w), width), ""
}

// isRoutine reports whether the chain that ends in a record begins with a heartbeat or another periodic event. What
// happens before time zero is background, too, but happens once.
func (c *Causes) isRoutine(seq int64) bool {
	l, ok := c.recall(seq)
	for ; ok && (l.kind == KindEnqueue || l.kind == KindWatch); l, ok = c.recall(l.cause) {
	}
	return ok && l.kind == KindRequest && l.background && l.at >= 0 && l.listed == ""
}

// Reason is why a sync ran, or why a key was queued.
type Reason struct {
	// Text is what happened, in words; empty if that is not known. Retry is the problem of the sync before, if this one repeats it.
	Text, Retry string
	// Clause means that Text is a clause: "its own timer ran out". Otherwise, it names what happened: "pods/web ADDED".
	Clause bool
	// Forgotten means that what happened is not remembered any more.
	Forgotten bool

	// of means that Text follows the word "of".
	of bool
}

// String begins with the word because.
func (r Reason) String() string {
	switch {
	case r.Text == "":
		return r.retry()
	case r.of:
		return "because of " + r.Brief()
	}
	return "because " + r.Brief()
}

// Brief leaves out the words that a column of causes does not need.
func (r Reason) Brief() string {
	if r.Retry == "" || r.Text == "" {
		return r.Text + r.retry()
	}
	return r.Text + "; " + r.retry()
}

func (r Reason) retry() string {
	if r.Retry == "" {
		return ""
	}
	return "retry after " + r.Retry
}

// Because describes why a sync of an actor runs: it follows the chain from the record that filled the queue.
func (c *Causes) Because(actor string, seq int64) Reason {
	retry := ""
	for range 1000 {
		l, ok := c.recall(seq)
		switch {
		case seq == 0:
			return Reason{Retry: retry}
		case !ok:
			return Reason{Text: "a record too far back", Forgotten: true, Retry: retry, of: true}
		}
		switch l.kind {
		case KindEnqueue:
			if l.cause == 0 {
				return Reason{Text: cmp.Or(l.text, "its start or its own timer"), Retry: retry, of: true}
			}
			seq = l.cause
		case KindTimer:
			sync, ok := c.recall(l.cause)
			if !ok || sync.kind != KindSync {
				return Reason{Text: "its own timer ran out", Clause: true, Retry: retry}
			}
			if sync.text == "" {
				return Reason{Text: "its sync of " + Seconds(sync.at) + " requeued it", Clause: true, Retry: retry}
			}
			retry = cmp.Or(retry, sync.text)
			seq = sync.cause
		default:
			reason := c.reason(actor, l)
			reason.Retry = retry
			return reason
		}
	}
	return Reason{}
}

// reason describes the end of a chain of causes.
func (c *Causes) reason(actor string, l link) Reason {
	switch {
	case l.kind == KindWatch:
		return Reason{Text: l.text + c.writer(actor, l.cause)}
	case l.kind == KindSync:
		return Reason{Text: "its sync of " + Seconds(l.at) + " requested it", Clause: true}
	case l.kind == KindAction:
		return Reason{Text: "step " + l.text, of: true}
	case l.kind != KindRequest:
		return Reason{Text: strings.TrimSpace(l.actor + " " + string(l.kind)), of: true}
	case l.listed != "":
		return Reason{Text: l.listed + " were listed", Clause: true}
	}
	return Reason{Text: "a request" + c.writer(actor, l.seq), of: true}
}

// writer describes who made a write, and what it changed.
func (c *Causes) writer(actor string, seq int64) string {
	l, ok := c.recall(seq)
	if !ok || l.kind != KindRequest {
		return ""
	}
	switch who := l.actor; {
	case who == actor && l.text == "":
		return " (own write)"
	case who == actor:
		return " (own write: " + l.text + ")"
	case l.text == "":
		return " (by " + who + ")"
	case l.text == "created", l.text == "removed":
		return " (" + l.text + " by " + who + ")"
	default:
		return " (by " + who + ": " + l.text + ")"
	}
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
		row.Detail = c.Because(record.Actor, record.Cause).String()
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
