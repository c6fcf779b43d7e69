package child

import (
	"context"
	"time"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Progress is how far a run is that is being recorded.
type Progress struct {
	Records int64
	At      time.Duration
}

// progressEvery is after how many records the progress is reported.
const progressEvery = 250

// Record runs the scenario to its end and keeps all of it; origin holds the scenario's name and title. Now and then it
// calls progress, which may be nil. Cancelling the context kills the process. What was recorded of a run that halted on
// the way can be looked at anyway.
func (r Run) Record(ctx context.Context, origin recording.Origin, progress func(Progress)) (*recording.Recording, error) {
	builder := recording.NewBuilder()
	result, err := r.Follow(ctx, adding(builder, progress))
	if err != nil {
		return nil, err
	}
	return recorded(builder, origin, result)
}

// RecordFrom is Record for a branch; see FollowFrom. past is the recording of the run that has the keyframe.
func (r Run) RecordFrom(ctx context.Context, b Branch, past *recording.Recording, origin recording.Origin, progress func(Progress),
) (*recording.Recording, error) {
	builder := recording.NewBuilder()
	for record := range past.All() {
		if record.Seq > b.Frame.Seq {
			break
		}
		if err := builder.Add(record); err != nil {
			return nil, err
		}
	}
	result, err := r.FollowFrom(ctx, b, adding(builder, progress))
	if err != nil {
		return nil, err
	}
	origin.Shared = b.Frame.Seq
	return recorded(builder, origin, result)
}

// adding adds the records of a run to those of a builder.
func adding(builder *recording.Builder, progress func(Progress)) func(*trace.Record) error {
	return func(record *trace.Record) error {
		if record.Halt != nil {
			return nil
		}
		if progress != nil && record.Seq%progressEvery == 0 {
			progress(Progress{record.Seq, record.At})
		}
		return builder.Add(record)
	}
}

// recorded is the recording of a run that has ended.
func recorded(builder *recording.Builder, origin recording.Origin, result *Result) (*recording.Recording, error) {
	origin.Ran = true
	switch {
	case builder.Len() == 0 && result.Halt != nil:
		return nil, &Error{Message: result.Halt.Message, Try: result.Try}
	case result.Halt != nil:
		origin.Cut, origin.Halted = result.Halt.Message, result.Halt.Reason
	case result.Outcome.TraceHash != result.Hash:
		origin.Cut = "the trace hash does not match the run"
	}
	if o := result.Outcome; o != nil {
		origin.Seed, origin.Result, origin.OpenOrder = o.Seed, o.Result, o.OpenOrder
		origin.Error, origin.Field, origin.Problem = o.Error, o.Field, o.Problem
	}
	return builder.Done(origin, result.Hash), nil
}
