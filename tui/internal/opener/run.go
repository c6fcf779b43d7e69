package opener

import (
	"context"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/branch"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/picker"
)

// Run runs scenarios in processes of their own.
type Run struct {
	// Seed replaces that of scenarios, if set.
	Seed        *int64
	ShowSecrets bool
	// Choices is the order of what is due at one time, as in --choices; empty for the order that the seed draws.
	Choices string
	// Raw leaves the texts of records as they are.
	Raw bool
}

// Open runs the scenario of an entry, or that of its Source.
func (o Run) Open(ctx context.Context, e picker.Entry, n News) (*recording.Recording, error) {
	run := child.Run{File: e.File, Seed: o.Seed, ShowSecrets: o.ShowSecrets, Choices: o.Choices, Text: linesIn(e.Language)}
	if o.Raw {
		run.Text = nil
	}
	origin, progress := recording.Origin{Name: e.Name, Title: e.Title}, func(p child.Progress) {
		n.tell(Progress{Records: p.Records, At: p.At})
	}
	run.Keyframes = e.Keyframes
	if e.Base != nil && e.Until > 0 && e.Keyframes.Len() == 0 && exact.CanFork() && !e.Scenario.RunsKubelets() {
		if err := o.base(ctx, run, e, progress); err != nil {
			return nil, err
		}
	}
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

// base makes the run that has the keyframes of a session, and compares it with what the session did.
func (o Run) base(ctx context.Context, run child.Run, e picker.Entry, progress func(child.Progress)) error {
	rec, err := run.RecordText(ctx, e.Base, recording.Origin{Name: e.Name}, progress)
	if err != nil {
		return err
	}
	if parts, _ := branch.Divergence(e.Past, rec); parts > 0 && e.Past.At(parts) < e.Until {
		e.Keyframes.Close()
		return DiffersError(e.Past.At(parts))
	}
	return nil
}

// DiffersError is the virtual time at which a run of a session is no longer the same as the session. A scenario cannot have all that
// clients do, such as what they start in a container.
type DiffersError time.Duration

// Error implements error.
func (d DiffersError) Error() string {
	return "a run of the session is not the same from " + trace.Seconds(time.Duration(d)) + " on, so there is no branch after that"
}
