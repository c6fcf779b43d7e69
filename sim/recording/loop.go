package recording

// Stage is a part of a turn of a reconcile loop.
type Stage int

// The stages, in their order.
const (
	StageTrigger Stage = iota
	StageQueue
	StageRead
	StageDecide
	StageWrite
	StageDone
)

// Turn is one turn of a reconcile loop: what SyncStory tells, and what is around it.
type Turn struct {
	SyncStory
	// Trigger is the record that brought the key into the queue, 0 if it is not known.
	Trigger int64
	// Told are the Kubernetes Events and the log lines of the sync.
	Told []int64
	// Back is the record with which the key comes back to the queue because this sync asked for it, 0 if it did not.
	Back int64
	// Requeued says that it asked for another turn, Stale that it did so because its cache was older than
	// what the controller itself had written.
	Requeued, Stale bool
	// Number is which of the controller's syncs this is, of Of.
	Number, Of int
}

// TurnAt is the turn that record seq belongs to, or else the last that began before it; nil before the first.
func (r *Recording) TurnAt(seq int64) *Turn {
	start := r.SyncOf(seq)
	if start == 0 {
		start = Latest(r.marks.Syncs, seq)
	}
	story := r.SyncStory(start)
	if story == nil {
		return nil
	}
	t := &Turn{SyncStory: *story, Trigger: r.trigger(start)}
	if end := r.Record(t.End); end != nil {
		t.Requeued, t.Stale = end.Sync.Requeued || end.Sync.Error != "", end.Sync.Stale
	}
	for _, s := range r.marks.Syncs {
		if r.Record(s).Actor != story.Actor {
			continue
		}
		t.Of++
		if s <= start {
			t.Number++
		}
	}
	for _, effect := range r.Effects(start) {
		record := r.Record(effect)
		switch {
		case record.Event != nil, record.Log != nil:
			t.Told = append(t.Told, effect)
		case record.Enqueue != nil:
			t.Back = effect
		case record.Timer != nil:
			for _, later := range r.Effects(effect) {
				if r.Record(later).Enqueue != nil {
					t.Back = later
				}
			}
		}
	}
	return t
}

// trigger is the first cause of a sync that is no addition to a queue.
func (r *Recording) trigger(start int64) int64 {
	cause := r.Record(r.Record(start).Cause)
	for cause != nil && cause.Enqueue != nil {
		cause = r.Record(cause.Cause)
	}
	if cause == nil {
		return 0
	}
	return cause.Seq
}

// Stage is how far a turn is at a record.
func (t *Turn) Stage(seq int64) Stage {
	switch {
	case seq < t.Start:
		return StageTrigger
	case t.End != 0 && seq >= t.End:
		return StageDone
	case len(t.Requests) > 0 && seq >= t.Requests[0]:
		return StageWrite
	}
	return StageRead
}
