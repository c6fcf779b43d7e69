package perturb

import (
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/place"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/sim/trace"
)

// Quiet is what happened to one controller in a run without faults.
type Quiet struct {
	// Actor is the name of the controller in the trace.
	Actor string
	// Writes are its write requests, and Changes what users changed of what it watches, both in the order of time.
	Writes  []place.Write
	Changes []Change
	// Calls are the calls of webhooks that it serves, in the order of time.
	Calls []Call

	// look has all places of the run.
	look *place.Look
	// until is the horizon of the scenario: the run may be longer.
	until time.Duration
	// watched are the resources of which it received events.
	watched map[string]bool
	// steps are the records of the steps of the scenario, and users all changes that steps made.
	steps map[int64]bool
	users []Change
	// counts counts the requests of each kind.
	counts place.Counter
	// calls are those of all webhooks, and ignored the webhooks with failurePolicy Ignore.
	calls   []Call
	ignored map[webhook]bool
}

// Change is a change of an object by a step of the scenario.
type Change struct {
	Object trace.Object
	Op     trace.Op
	At     time.Duration
	// Marks means that the change sets metadata.deletionTimestamp.
	Marks bool
}

// NewQuiet returns a Quiet before the first record. It ignores what happens after the horizon of the scenario.
func NewQuiet(actor string, s *format.Scenario) *Quiet {
	return &Quiet{
		Actor: actor, look: place.NewLook(s), until: s.Spec.Horizon.Duration, watched: map[string]bool{}, steps: map[int64]bool{},
		ignored: map[webhook]bool{},
	}
}

// Note is a trace.Sink. The records are those of a run without faults.
func (q *Quiet) Note(record *trace.Record, line []byte) {
	q.look.Note(record, line)
	if record.Request != nil {
		for i := range record.Request.Writes {
			q.configured(&record.Request.Writes[i])
		}
	}
	switch {
	case record.At < 0 || record.At > q.until:
	case record.Action != nil:
		q.steps[record.Seq] = true
	case record.Webhook != nil:
		q.called(record)
	case record.Watch != nil && record.Actor == q.Actor:
		q.watched[record.Watch.Resource] = true
	case record.Request != nil && record.Actor == q.Actor:
		if w, ok := q.counts.Write(record); ok {
			q.Writes = append(q.Writes, w)
		}
	case record.Request != nil && q.steps[record.Cause]:
		q.changed(record)
	}
}

// Answered is for runner.RunOptions.
func (q *Quiet) Answered(seq int64, at time.Duration) { q.look.Answered(seq, at) }

func (q *Quiet) changed(record *trace.Record) {
	for i := range record.Request.Writes {
		w := &record.Request.Writes[i]
		change := Change{Object: w.Object, Op: w.Op, At: record.At}
		for _, field := range w.Changes {
			change.Marks = change.Marks || field.Path == "metadata.deletionTimestamp"
		}
		q.users = append(q.users, change)
	}
}

// End is called after the last record.
func (q *Quiet) End() {
	q.number()
	q.Changes = nil
	for _, change := range q.users {
		if q.watched[change.Object.Resource] {
			q.Changes = append(q.Changes, change)
		}
	}
}

// lastWrite is the last write of the controller in a part of the run; nil if there is none.
func (q *Quiet) lastWrite(from, to time.Duration) *place.Write {
	var last *place.Write
	for i := range q.Writes {
		if w := &q.Writes[i]; w.At > from && w.At < to {
			last = w
		}
	}
	return last
}
