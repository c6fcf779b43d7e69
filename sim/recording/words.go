package recording

import (
	"strings"

	"github.com/kubestep/kubestep/sim/trace"
)

// Row words a record with what its neighbours tell: a sync's line says why it ran and how it ended.
func (r *Recording) Row(seq int64) trace.Row {
	record := r.Record(seq)
	if record == nil {
		return trace.Row{}
	}
	if row := r.rows[seq-1]; row != nil {
		return *row
	}
	row := trace.Describe(record)
	row.Seq = seq
	cause := r.Record(record.Cause)
	switch {
	case record.Sync != nil && record.Sync.Phase == trace.PhaseStart:
		row.Detail = r.Because(record)
		row.Outcome = "goes on"
		if end := r.Record(r.syncEnds[seq]); end != nil {
			row.Outcome = r.syncOutcome(seq, end)
		}
	case record.Watch != nil && cause != nil && cause.Actor != "":
		row.Detail += " by " + cause.Actor
	case record.Enqueue != nil:
		row.Detail = r.Because(record)
	case record.Action == nil && cause != nil:
		row.Nested = cause.Sync != nil || cause.Action != nil
	}
	r.rows[seq-1] = &row
	return row
}

// syncOutcome adds to how a sync ended the conflict that it met.
func (r *Recording) syncOutcome(start int64, end *trace.Record) string {
	text := trace.Describe(end).Outcome
	for _, effect := range r.Effects(start) {
		if request := r.Record(effect).Request; request != nil && request.Reason == "Conflict" {
			return text + ", 409 Conflict"
		}
	}
	return text
}

// Because says in one line why a sync ran, or why its key was queued.
func (r *Recording) Because(record *trace.Record) string {
	cause := r.Record(record.Cause)
	for cause != nil && cause.Enqueue != nil {
		if cause.Cause == 0 {
			return "its start or its own timer"
		}
		cause = r.Record(cause.Cause)
	}
	switch {
	case cause == nil && record.Enqueue != nil:
		return "its start or its own timer"
	case cause == nil:
		return ""
	case cause.Timer != nil:
		sync := r.Record(cause.Cause)
		if sync == nil || sync.Sync == nil {
			return "its own timer ran out"
		}
		return "its sync of " + trace.Seconds(sync.At) + " wanted another turn"
	case cause.Sync != nil:
		return "its sync of " + trace.Seconds(cause.At) + " asked for it"
	case cause.Watch != nil:
		return r.watchReason(record.Actor, cause)
	case cause.Request != nil && cause.Request.Verb == "list":
		return trace.Describe(cause).Object + " were listed"
	}
	return strings.TrimSpace(cause.Actor + " " + trace.Describe(cause).Object)
}

// watchReason words a watch event with the write behind it.
func (r *Recording) watchReason(actor string, watch *trace.Record) string {
	text := trace.Describe(watch).Object + " " + watch.Watch.Type
	write := r.Record(watch.Cause)
	if write == nil || write.Request == nil {
		return text
	}
	who := write.Actor
	if who == actor {
		who = "itself"
	}
	row := r.Row(write.Seq)
	if row.Detail == "" || row.Verb == "create" {
		return text + " (" + row.Verb + " by " + who + ")"
	}
	return text + " (by " + who + ": " + row.Detail + ")"
}

// Text is a record as lower-case words, for searching.
func (r *Recording) Text(seq int64) string {
	if r.Record(seq) == nil {
		return ""
	}
	if r.texts[seq-1] == "" {
		row := r.Row(seq)
		r.texts[seq-1] = strings.ToLower(strings.Join(
			[]string{row.Actor, row.Verb, row.Object, row.Detail, row.Outcome}, " "))
	}
	return r.texts[seq-1]
}

// Story says whether a record is one of those that tell what happened and why; the others only carry it
// from one to the next: watch events, additions to queues, timers, reads, ends of syncs, heartbeats.
func (r *Recording) Story(seq int64) bool {
	record := r.Record(seq)
	switch {
	case record == nil, record.Background, record.Watch != nil && record.Watch.Type != "ERROR",
		record.Enqueue != nil, record.Timer != nil:
		return false
	case record.Sync != nil:
		return record.Sync.Phase == trace.PhaseStart
	case record.Log != nil:
		return record.Log.Level < 0 && IsError(record)
	case record.Event != nil:
		return record.Event.Type != "Normal" || !echoes[record.Event.Reason]
	case record.Request != nil:
		return record.Request.Code >= 400 || !reads[record.Request.Verb]
	}
	return true
}

var reads = map[string]bool{"get": true, "list": true, "watch": true}

// echoes are the reasons of Events that only say again what the write beside them says.
var echoes = map[string]bool{"SuccessfulCreate": true, "SuccessfulDelete": true, "Scheduled": true}
