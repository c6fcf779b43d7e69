package pane

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// Trace lists records around the cursor.
type Trace struct{}

// Title implements Pane.
func (Trace) Title(m Moment, t *theme.Theme) (name, detail string) {
	if m.Filter != "" {
		detail = t.Note.Render(" /" + m.Filter)
	} else if !m.All {
		detail = t.Dim.Render("  important records; v for all")
	}
	return "Trace", detail + t.Dim.Render("  "+m.position()+m.quiet())
}

// position is where the cursor is in the list, in words.
func (m Moment) position() string {
	at, found := slices.BinarySearch(m.Visible, m.Seq)
	if found {
		at++
	}
	return strconv.Itoa(at) + " of " + strconv.Itoa(len(m.Visible))
}

// A wait that is shorter than this is not worth a word.
const noticed = 100 * time.Millisecond

// quiet says for how long nothing happens, if it is long enough to be noticed.
func (m Moment) quiet() string {
	next := recording.Next(m.Visible, m.Seq)
	switch {
	case next == 0 && m.Present:
		return " · this is now"
	case next == 0:
		return " · this is the end"
	}
	if wait := m.Rec.At(next) - m.Now; wait >= noticed {
		return " · next in " + recording.Short(wait)
	}
	return ""
}

// Select implements Lister. The lines are the records that are listed.
func (Trace) Select(m Moment, by int) Moment {
	step := recording.Next
	if by < 0 {
		step, by = recording.Previous, -by
	}
	at := m.Seq
	for ; by > 0; by-- {
		next := step(m.Visible, at)
		if next == 0 {
			break
		}
		at = next
	}
	if at != m.Seq {
		m = m.At(at)
	}
	return m
}

// Click implements Clicker.
func (Trace) Click(m Moment, c Canvas, line int) Moment {
	if window := m.window(c.Height); line < len(window) {
		m = m.At(window[line])
	}
	return m
}

// window is the numbers of the records that are shown, from top to bottom. The cursor is among them even
// if it is not visible otherwise: a jump to a cause may lead to a record that the list leaves out.
func (m Moment) window(height int) []int64 {
	at, found := slices.BinarySearch(m.Visible, m.Seq)
	before := min(at, height*2/3)
	after := at
	if found {
		after++
	}
	rest := min(len(m.Visible)-after, height-1-before)
	before = min(at, height-1-rest)
	window := append(make([]int64, 0, height), m.Visible[at-before:at]...)
	if m.Seq > 0 {
		window = append(window, m.Seq)
	}
	return append(window, m.Visible[after:after+max(rest, 0)]...)
}

// Render implements Pane.
func (Trace) Render(m Moment, c Canvas) []string {
	until := m.openQuestion()
	p := traceLines{drawing{m, c}, until}
	if len(m.Visible) == 0 && m.Seq == 0 {
		return []string{"", "  no record matches"}
	}
	var lines []string
	for _, seq := range m.window(c.Height) {
		if until > 0 && seq > until {
			lines = append(lines, "", p.Theme.Dim.Render("  the question is what comes next"))
			break
		}
		lines = append(lines, p.line(seq))
	}
	return lines[:min(len(lines), c.Height)]
}

// traceLines are records that are being drawn.
type traceLines struct {
	drawing
	// until is the question that conceals what comes after it, 0 for none.
	until int64
}

// The widths of the columns, for wide and for narrow screens.
const (
	timeWidth  = 9
	verbWidth  = 7
	wideColumn = 100
)

func (p traceLines) line(seq int64) string {
	row := p.Rec.Row(seq)
	record := p.Rec.Record(seq)
	if p.until > 0 && record.Sync != nil && p.Rec.SyncEnd(seq) > p.until {
		// What comes of the sync is part of the question.
		row.Outcome = "in progress"
	}
	mark := "  "
	switch seq {
	case p.Seq:
		mark = "▸ "
	case p.Diverged:
		mark = partedGlyph + " "
	}
	head := mark + frame.Right(trace.Seconds(row.At), timeWidth) + "  "
	style := p.style(record)
	var text string
	switch {
	case record.Note != nil:
		text = "| " + frame.OneLine(row.Detail)
	case record.Ask != nil:
		text = "? " + frame.OneLine(row.Detail)
	case record.Answer != nil:
		text = "= " + frame.OneLine(row.Detail)
	case row.Actor == "":
		text = strings.TrimRight(row.Verb+" "+row.Object+" "+row.Outcome, " ")
		if row.Detail != "" {
			text += ": " + row.Detail
		}
	default:
		text = p.columns(row)
	}
	line := frame.Fit(head+text, p.Width)
	if seq == p.Seq {
		return p.Theme.Now.Render(line)
	}
	return style.Render(line)
}

// columns puts a row into columns. What came of it is short and stays; what happened can be cut.
func (p traceLines) columns(row trace.Row) string {
	actor, object := 14, 22
	if p.Width >= wideColumn {
		actor, object = 22, 32
	} else if p.Width < 72 {
		actor, object = 10, 18
	}
	verb := row.Verb
	if row.Nested {
		verb = "  " + verb
	}
	text := frame.Fit(frame.Middle(ShortActor(row.Actor, actor), actor), actor) + " " + frame.Fit(verb, verbWidth+2) +
		" " + frame.Fit(frame.Middle(row.Object, object), object) + " "
	detail := row.Detail
	if row.Verb == string(trace.KindSync) && detail != "" {
		detail = row.Outcome + " <- " + detail
		row.Outcome = ""
	}
	free := p.Width - frame.Width(text) - timeWidth - 4
	return text + frame.Ends(detail, row.Outcome, free)
}

// ShortActor leaves out what tells least of a controller's name.
func ShortActor(actor string, width int) string {
	if len(actor) > width {
		return strings.TrimSuffix(actor, "-controller")
	}
	return actor
}

func (p traceLines) style(record *trace.Record) lipgloss.Style {
	switch {
	case trace.IsError(record):
		return p.Theme.Failed
	case record.Kind == trace.KindFault:
		return p.Theme.Fault
	case record.Note != nil, record.Ask != nil, record.Answer != nil, record.Action != nil:
		return p.Theme.Note
	case record.Background, record.Sync != nil && p.idle(record), record.Watch != nil, record.Enqueue != nil:
		return p.Theme.Dim
	}
	return lipgloss.NewStyle()
}

// idle reports whether a sync changed nothing.
func (p traceLines) idle(record *trace.Record) bool {
	end := p.Rec.Record(p.Rec.SyncEnd(record.Seq))
	return end != nil && end.Sync.Writes == 0 && end.Sync.Requests == 0
}
