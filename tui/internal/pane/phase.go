package pane

import (
	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/sim/recording"
)

// phaseTones are the tones of the phases of a Pod.
var phaseTones = map[recording.Phase]palette.Tone{
	recording.Absent: palette.Dim, recording.Pending: palette.Pending, recording.Running: palette.Pending, recording.Ready: palette.Pending,
	recording.Available: palette.Ready, recording.Terminating: palette.Terminating, recording.Failed: palette.Failed,
	recording.Succeeded: palette.Ready,
}

// Glyph is the mark of a phase in its tone.
func (c Canvas) Glyph(p recording.Phase) string { return c.Theme.Tone(phaseTones[p]).Render(p.Mark()) }
