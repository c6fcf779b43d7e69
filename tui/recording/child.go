package recording

import (
	"context"
	"time"

	"github.com/kubestep/kubestep/scenarios/child"
	"github.com/kubestep/kubestep/sim/trace"
)

// Progress is how far a run is that is being recorded.
type Progress struct {
	Records int64
	At      time.Duration
}

// progressEvery is after how many records the progress is told.
const progressEvery = 250

// Child records a run in a process of its own.
type Child struct {
	child.Run
	// Name and Title are the scenario's.
	Name, Title string
	// Progress is called now and then; may be nil.
	Progress func(Progress)
}

// Record runs the scenario to its end. Cancelling the context kills the process. What a world recorded that
// broke down on the way can be looked at all the same.
func (c Child) Record(ctx context.Context) (*Recording, error) {
	builder := NewBuilder(Origin{Name: c.Name, Title: c.Title, Ran: true})
	result, err := c.Follow(ctx, func(record *trace.Record) error {
		if record.Halt != nil {
			return nil
		}
		if c.Progress != nil && record.Seq%progressEvery == 0 {
			c.Progress(Progress{record.Seq, record.At})
		}
		return builder.Add(record)
	})
	if err != nil {
		return nil, err
	}
	origin := &builder.rec.Origin
	switch {
	case builder.rec.Len() == 0 && result.Halt != nil:
		return nil, &child.Error{Message: result.Halt.Message}
	case result.Halt != nil:
		origin.Cut = result.Halt.Message
	case result.Outcome.TraceHash != result.Hash:
		origin.Cut = "the trace hash is not that of the run"
	}
	if o := result.Outcome; o != nil {
		origin.Seed, origin.Result, origin.OpenOrder, origin.Error = o.Seed, o.Result, o.OpenOrder, o.Error
	}
	return builder.Done(result.Hash), nil
}
