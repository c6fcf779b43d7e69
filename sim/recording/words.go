package recording

import (
	"strings"

	"github.com/kubestep/kubestep/sim/trace"
)

// Row describes a record with information from other records: a sync's line says why it ran and how it ended.
func (r *Recording) Row(seq int64) trace.Row {
	record := r.Record(seq)
	if record == nil {
		return trace.Row{}
	}
	if r.rows[seq-1] == nil {
		row := r.causes.Row(record)
		if record.Sync != nil || record.Enqueue != nil {
			row.Detail = brief(row.Detail)
		}
		r.rows[seq-1] = &row
	}
	return *r.rows[seq-1]
}

// Because describes in one line why a sync ran, or why its key was queued.
func (r *Recording) Because(record *trace.Record) string {
	return brief(r.causes.Because(record.Actor, record.Cause))
}

// brief removes the word that a column of causes does not need.
func brief(because string) string {
	text, _ := strings.CutPrefix(because, "because ")
	return strings.TrimPrefix(text, "of ")
}

// SyncResult is the end of the sync that began with record start, nil if it did not end, and whether one of its
// requests was refused with 409 Conflict.
func (r *Recording) SyncResult(start int64) (end *trace.Record, conflict bool) {
	for _, effect := range r.Effects(start) {
		if request := r.Record(effect).Request; request != nil && request.Reason == "Conflict" {
			conflict = true
		}
	}
	return r.Record(r.syncEnds[start]), conflict
}

// Words is the text of a record in lower case, for searching.
func (r *Recording) Words(seq int64) string {
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

// Story reports whether a record says what happened and why (trace.Story), and is neither background nor that of a
// controller that waits for its cache.
func (r *Recording) Story(seq int64) bool {
	record := r.Record(seq)
	return record != nil && !record.Background && trace.Story(record) && (record.Log == nil || IsError(record))
}
