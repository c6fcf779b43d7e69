package recording

import (
	"strings"

	"github.com/kubestep/kubestep/sim/trace"
)

// Row describes a record with information from other records: a sync's line says why it ran and how it ended.
func (r *Recording) Row(seq int64) trace.Row {
	if seq < 1 || seq > r.Len() {
		return trace.Row{}
	}
	d := r.describe(seq)
	if d.row == nil {
		record := r.Record(seq)
		row := r.causes.Row(record)
		if record.Sync != nil && record.Sync.Phase == trace.PhaseStart || record.Enqueue != nil {
			row.Detail = r.Because(record).Brief()
		}
		d.row = &row
	}
	return *d.row
}

// description is a record in words; a part that was not needed is empty.
type description struct {
	row  *trace.Row
	text string
}

// descriptionsMax is how many descriptions and bonds are kept: those of a large recording would take more than its records.
const descriptionsMax = 100_000

// describe is the description of a record that exists.
func (r *Recording) describe(seq int64) *description {
	d := r.descriptions[seq]
	if d == nil {
		if len(r.descriptions) >= descriptionsMax {
			clear(r.descriptions)
		}
		d = &description{}
		r.descriptions[seq] = d
	}
	return d
}

// Causes describes the causes of the records.
func (r *Recording) Causes() *trace.Causes { return r.causes }

// Because is why a sync ran, or why its key was queued.
func (r *Recording) Because(record *trace.Record) trace.Reason {
	return r.causes.Because(record.Actor, record.Cause)
}

// SyncResult is the end of the sync that began with record start, nil if it did not end, and whether one of its
// requests was refused with 409 Conflict.
func (r *Recording) SyncResult(start int64) (end *trace.Record, conflict bool) {
	for _, effect := range r.Effects(start) {
		if request := r.Record(effect).Request; request != nil && request.Reason == "Conflict" {
			conflict = true
		}
	}
	return r.Record(r.SyncEnd(start)), conflict
}

// Words is the text of a record in lower case, for searching.
func (r *Recording) Words(seq int64) string {
	if seq < 1 || seq > r.Len() {
		return ""
	}
	if d := r.descriptions[seq]; d != nil && d.text != "" {
		return d.text
	}
	row := r.Row(seq)
	text := strings.ToLower(strings.Join([]string{row.Actor, row.Verb, row.Object, row.Detail, row.Outcome}, " "))
	r.describe(seq).text = text
	return text
}

// IsStory reports whether a record is part of the story: see trace.InStory.
func (r *Recording) IsStory(seq int64) bool {
	return seq >= 1 && seq <= r.Len() && r.records.facts.of(seq).is&isStory != 0
}

// IsFailed reports whether a record describes a failure, as trace.IsError does, without decoding it.
func (r *Recording) IsFailed(seq int64) bool { return r.records.facts.of(seq).is&isFailed != 0 }
