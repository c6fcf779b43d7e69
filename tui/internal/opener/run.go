package opener

import (
	"context"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/internal/picker"
)

// Run runs scenarios in processes of their own.
type Run struct {
	// Seed replaces that of scenarios, if set.
	Seed        *int64
	ShowSecrets bool
	// Raw leaves the texts of records as they are.
	Raw bool
}

// Open runs the scenario of an entry, or that of its Source.
func (o Run) Open(ctx context.Context, e picker.Entry, n News) (*recording.Recording, error) {
	run := child.Run{File: e.File, Seed: o.Seed, ShowSecrets: o.ShowSecrets, Text: linesIn(e.Language)}
	if o.Raw {
		run.Text = nil
	}
	origin, progress := recording.Origin{Name: e.Name, Title: e.Title}, func(p child.Progress) {
		n.tell(Progress{Records: p.Records, At: p.At})
	}
	run.Keyframes = e.Keyframes
	if frame := e.Keyframes.Before(e.Until); frame != nil && e.Source != nil {
		rec, err := run.RecordFrom(ctx, child.Branch{Frame: frame, Until: e.Until, Scenario: e.Source}, e.Past, origin, progress)
		if err == nil {
			return Shown(rec), nil
		}
		if ctx.Err() != nil {
			return nil, err
		}
	}
	record := run.Record
	if e.Source != nil {
		run.Keyframes = nil // it would have keyframes of its own
		record = func(ctx context.Context, origin recording.Origin, progress func(child.Progress)) (*recording.Recording, error) {
			return run.RecordText(ctx, e.Source, origin, progress)
		}
	}
	rec, err := record(ctx, origin, progress)
	if err != nil || o.Raw {
		return rec, err
	}
	return Shown(rec), nil
}
