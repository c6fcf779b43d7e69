package recording

import (
	"github.com/kubestep/kubestep/sim/trace"
)

// Marks are the numbers of the records to which a reader may want to jump.
type Marks struct {
	// Writes are requests that changed the store, Syncs the starts of syncs.
	Writes, Syncs []int64
	// Actions are steps of the scenario, Notes its texts, questions and answers, and Answers only the answers.
	Actions, Notes, Answers []int64
	// Shows are the directions of the scenario for the reader's screen.
	Shows []int64
	// Story are the records that say what happened: see trace.InStory.
	Story []int64
	// Faults are the scenario's faults. Errors are failed requests, errors that controllers reported, failed steps and
	// failed checks; FailedChecks are only the last.
	Faults, Errors, FailedChecks []int64
}

// Marks returns the recording's marks.
func (r *Recording) Marks() *Marks { return &r.marks }

// Step is the record of a step of the scenario by its index, or 0. A note is not an action and has no index.
func (r *Recording) Step(index int) int64 {
	for _, seq := range r.marks.Actions {
		if r.Record(seq).Action.Step == index {
			return seq
		}
	}
	return 0
}

// requestOf is an actor and the object of its requests.
type requestOf struct {
	actor  string
	object trace.Object
}

// index adds a record to the lookups. story and failed are trace.InStory and trace.IsError of it.
func (r *Recording) index(record *trace.Record, story, failed bool) {
	seq := record.Seq
	r.records.note(record, story)
	if story {
		r.marks.Story = append(r.marks.Story, seq)
	}
	r.effects = append(r.effects, nil)
	if record.Cause > 0 {
		r.effects[record.Cause-1] = append(r.effects[record.Cause-1], seq)
	}
	r.byActor[record.Actor] = append(r.byActor[record.Actor], seq)
	r.byKind[record.Kind] = append(r.byKind[record.Kind], seq)
	if record.Request != nil {
		of := requestOf{record.Actor, record.Request.Object}
		r.requests[of] = append(r.requests[of], seq)
	}
	if s := record.Sync; s != nil {
		r.indexSync(record)
		if s.Phase == trace.PhaseEnd {
			r.syncEnds[s.Start] = seq
		}
	}
	if record.Timer != nil && record.Timer.Key != "" {
		of := queued{record.Actor, record.Timer.Key}
		set := r.timers[of]
		if set == nil {
			set = &timers{}
			r.timers[of] = set
		}
		set.seqs, set.queues = append(set.seqs, seq), append(set.queues, record.Timer.Queue)
	}
	if record.Background {
		return
	}
	r.mark(record, failed)
}

func (r *Recording) mark(record *trace.Record, failed bool) {
	m, seq := &r.marks, record.Seq
	switch {
	case record.Request != nil && len(record.Request.Writes) > 0:
		m.Writes = append(m.Writes, seq)
	case record.Sync != nil && record.Sync.Phase == trace.PhaseStart:
		m.Syncs = append(m.Syncs, seq)
	case record.Action != nil:
		m.Actions = append(m.Actions, seq)
	case record.Answer != nil:
		m.Notes, m.Answers = append(m.Notes, seq), append(m.Answers, seq)
	case record.Show != nil:
		m.Shows = append(m.Shows, seq)
	case record.Note != nil, record.Ask != nil:
		m.Notes = append(m.Notes, seq)
	case record.Kind == trace.KindFault:
		m.Faults = append(m.Faults, seq)
	}
	if record.Check != nil && !record.Check.Passed {
		m.FailedChecks = append(m.FailedChecks, seq)
	}
	if failed {
		m.Errors = append(m.Errors, seq)
	}
}
