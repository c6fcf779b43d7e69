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
	text, detail := p.foretold(next)
	if detail != "" && p.Rec.Record(next).Sync != nil {
		detail = "because " + detail
	}
	lines := frame.Wrap(trace.Seconds(p.Rec.At(next))+"  "+text, c.Width, 2)
	if detail != "" {
		lines = append(lines, frame.Wrap(detail, c.Width, 2)...)
	}
	return lines
}

// foretold says which record follows, and its detail. It does not tell what the scenario says there.
func (m Moment) foretold(next int64) (text, detail string) {
	switch record, row := m.Rec.Record(next), m.Rec.Row(next); {
	case record.Note != nil, record.Ask != nil:
		return "a note of the scenario", ""
	case record.Answer != nil:
		return "the answer", ""
	default:
		return subject(row), row.Detail
	}
}

// subject says who does what to what.
func subject(row trace.Row) string {
	return strings.Join(strings.Fields(row.Actor+" "+row.Verb+" "+row.Object), " ")
}
