package pane

import (
	"strings"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/frame"
	"github.com/kubestep/kubestep/tui/theme"
)

// Next tells which record follows among those that are shown, and how long nothing happens until then.
type Next struct {
	base
	visible []int64
}

// NewNext returns the pane.
func NewNext(rec *recording.Recording, t *theme.Theme) *Next {
	return &Next{base: base{rec: rec, theme: t}}
}

// SetVisible sets which records are listed, sorted.
func (p *Next) SetVisible(seqs []int64) { p.visible = seqs }

// Render draws the pane.
func (p *Next) Render(title string) []string {
	next := recording.Next(p.visible, p.cursor)
	if next == 0 {
		return frame.Box(title, []string{"nothing more: this is the end", "of the recording"}, p.width, p.height, p.theme.Dim)
	}
	wait := p.rec.At(next) - p.rec.At(p.cursor)
	if wait > 0 {
		title += p.theme.Dim.Render(" in " + recording.Short(wait))
	}
	row := p.rec.Row(next)
	record := p.rec.Record(next)
	text := strings.TrimSpace(row.Actor + " " + row.Verb + " " + row.Object)
	lines := frame.Wrap(trace.Seconds(row.At)+"  "+text, p.width-4, 2)
	switch {
	case record.Note != nil, record.Ask != nil:
		lines = frame.Wrap(trace.Seconds(row.At)+"  a note of the scenario", p.width-4, 2)
	case record.Answer != nil:
		lines = frame.Wrap(trace.Seconds(row.At)+"  the answer", p.width-4, 2)
	case record.Sync != nil && row.Detail != "":
		lines = append(lines, frame.Wrap("because "+row.Detail, p.width-4, 2)...)
	case row.Detail != "":
		lines = append(lines, frame.Wrap(row.Detail, p.width-4, 2)...)
	}
	return frame.Box(title, lines, p.width, p.height, p.theme.Dim)
}
