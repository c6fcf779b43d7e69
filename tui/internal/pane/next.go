package pane

import (
	"strings"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// Next tells which record follows among those that are shown, and how long nothing happens until then.
type Next struct{}

// Title implements Pane.
func (Next) Title(m Moment, t *theme.Theme) (name, detail string) {
	if next := m.next(m.Visible); next != 0 && m.Rec.At(next) > m.Rec.At(m.Seq) {
		detail = t.Dim.Render(" in " + recording.Short(m.Rec.At(next)-m.Rec.At(m.Seq)))
	}
	return "Next", detail
}

// Render implements Pane.
func (Next) Render(p Moment, c Canvas) []string {
	if p.Question() != nil {
		return []string{"this is the question"}
	}
	next := p.next(p.Visible)
	switch {
	case next == 0 && p.Present:
		return []string{"nothing yet: n lets time pass", "until something happens"}
	case next == 0:
		return []string{"nothing: this is the end", "of the recording"}
	}
	row := p.Rec.Row(next)
	record := p.Rec.Record(next)
	text := strings.TrimSpace(row.Actor + " " + row.Verb + " " + row.Object)
	lines := frame.Wrap(trace.Seconds(row.At)+"  "+text, c.Width, 2)
	switch {
	case record.Note != nil, record.Ask != nil:
		lines = frame.Wrap(trace.Seconds(row.At)+"  a note of the scenario", c.Width, 2)
	case record.Answer != nil:
		lines = frame.Wrap(trace.Seconds(row.At)+"  the answer", c.Width, 2)
	case record.Sync != nil && row.Detail != "":
		lines = append(lines, frame.Wrap("because "+row.Detail, c.Width, 2)...)
	case row.Detail != "":
		lines = append(lines, frame.Wrap(row.Detail, c.Width, 2)...)
	}
	return lines
}
