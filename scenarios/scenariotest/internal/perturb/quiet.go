package perturb

import (
	"fmt"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/trace"
)

// Quiet is what happened to one controller in a run without faults.
type Quiet struct {
	// Actor is the name of the controller in the trace.
	Actor string
	// Writes are its write requests, and Changes what users changed of what it watches, both in the order of time.
	Writes  []Write
	Changes []Change
	// Calls are the calls of webhooks that it serves, in the order of time.
	Calls []Call

	// until is the horizon of the scenario: the run may be longer.
	until time.Duration
	// watched are the resources of which it received events.
	watched map[string]bool
	// steps are the records of the steps of the scenario, and users all changes that steps made.
	steps map[int64]bool
	users []Change
	// counts counts the requests of each kind.
	counts map[requestKind]int
	// calls are those of all webhooks, and ignored the webhooks with failurePolicy Ignore.
	calls   []Call
	ignored map[webhook]bool
}

// requestKind is what the requests have in common that a rule counts.
type requestKind struct{ verb, resource, subresource string }

// Write is a write request of the controller.
type Write struct {
	requestKind
	Object trace.Object
	// Nth is its position among the requests of its kind, from 1.
	Nth int
	// At is when the server executed it.
	At time.Duration
}

// String says which write it is: create configmaps/web at 12ms, the 3rd create of that kind is (create 3).
func (w *Write) String() string {
	resource := w.resource
	if w.subresource != "" {
		resource += "/" + w.subresource
	}
	object, at := trace.ObjectName(w.Object), notation.Text(rounded(w.At))
	return fmt.Sprintf("%s of %s at %s (%s %s %d)", w.verb, object, at, w.verb, resource, w.Nth)
}

// Change is a change of an object by a step of the scenario.
type Change struct {
	Object trace.Object
	Op     trace.Op
	At     time.Duration
	// Marks means that the change sets metadata.deletionTimestamp.
	Marks bool
}

// NewQuiet returns a Quiet before the first record. It ignores what happens after the horizon.
func NewQuiet(actor string, horizon time.Duration) *Quiet {
	return &Quiet{
		Actor: actor, until: horizon, watched: map[string]bool{}, steps: map[int64]bool{}, counts: map[requestKind]int{},
		ignored: map[webhook]bool{},
	}
}

// Note is a trace.Sink. The records are those of a run without faults.
func (q *Quiet) Note(record *trace.Record, _ []byte) {
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
		q.request(record)
	case record.Request != nil && q.steps[record.Cause]:
		q.changed(record)
	}
}

// request notes a write of the controller. Events and leases are written without consequences.
func (q *Quiet) request(record *trace.Record) {
	r := record.Request
	kind := requestKind{r.Verb, r.Resource, r.Subresource}
	switch r.Verb {
	case "get", "list", "watch":
		return
	}
	if fault.IsRoutine(notation.Plural(r.Resource)) {
		return
	}
	q.counts[kind]++
	object := r.Object
	if len(r.Writes) > 0 {
		object = r.Writes[0].Object
	}
	q.Writes = append(q.Writes, Write{requestKind: kind, Object: object, Nth: q.counts[kind], At: record.At})
}

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
func (q *Quiet) lastWrite(from, to time.Duration) *Write {
	var last *Write
	for i := range q.Writes {
		if w := &q.Writes[i]; w.At > from && w.At < to {
			last = w
		}
	}
	return last
}
