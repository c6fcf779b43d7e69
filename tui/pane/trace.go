package pane

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/frame"
	"github.com/kubestep/kubestep/tui/theme"
)

// Trace lists records around the cursor.
type Trace struct {
	base
	visible []int64
	// until is the last record that is shown, 0 for all: what comes after it is a question.
	until int64
	// parted is the first record that the parent of a branch does not have.
	parted int64
}

// SetParted marks the first record that a branch's parent does not have.
func (p *Trace) SetParted(seq int64) { p.parted = seq }

// NewTrace returns the pane.
func NewTrace(rec *recording.Recording, t *theme.Theme) *Trace {
	return &Trace{base: base{rec: rec, theme: t}}
}

// SetUntil leaves out the records behind one; 0 shows all.
func (p *Trace) SetUntil(seq int64) { p.until = seq }

// SetVisible sets which records are listed, sorted.
func (p *Trace) SetVisible(seqs []int64) { p.visible = seqs }

// Window is the numbers of the records that are shown, from top to bottom. The cursor is among them even
// if it is not visible otherwise: a jump to a cause may lead to a record that the list leaves out.
func (p *Trace) Window() []int64 {
	at, found := slices.BinarySearch(p.visible, p.cursor)
	before := min(at, p.height*2/3)
	after := at
	if found {
		after++
	}
	rest := min(len(p.visible)-after, p.height-1-before)
	before = min(at, p.height-1-rest)
	window := append(make([]int64, 0, p.height), p.visible[at-before:at]...)
	if p.cursor > 0 {
		window = append(window, p.cursor)
	}
	return append(window, p.visible[after:after+max(rest, 0)]...)
}

// Lines renders the list without a border.
func (p *Trace) Lines() []string {
	var lines []string
	for _, seq := range p.Window() {
		if p.until > 0 && seq > p.until {
			lines = append(lines, "", p.theme.Dim.Render("  what comes next is the question"))
			break
		}
		lines = append(lines, p.line(seq))
	}
	if len(p.visible) == 0 && p.cursor == 0 {
		lines = []string{"", "  no record matches"}
	}
	return frame.Block(lines, p.width, p.height)
}

// Render draws the list in a box.
func (p *Trace) Render(title string) []string {
	inner := *p
	inner.width, inner.height = p.width-4, p.height-2
	return frame.Box(title, inner.Lines(), p.width, p.height, p.theme.Dim)
}

// The widths of the columns, for wide and for narrow screens.
const (
	timeWidth  = 9
	verbWidth  = 7
	wideColumn = 100
)

func (p *Trace) line(seq int64) string {
	row := p.rec.Row(seq)
	record := p.rec.Record(seq)
	mark := "  "
	switch seq {
	case p.cursor:
		mark = "▸ "
	case p.parted:
		mark = partedGlyph + " "
	}
	head := mark + frame.Right(trace.Seconds(row.At), timeWidth) + "  "
	style := p.style(record)
	var text string
	switch {
	case record.Note != nil:
		text = "| " + oneLine(row.Detail)
	case record.Ask != nil:
		text = "? " + oneLine(row.Detail)
	case record.Answer != nil:
		text = "= " + oneLine(row.Detail)
	case row.Actor == "":
		text = strings.TrimRight(row.Verb+" "+row.Object+" "+row.Outcome, " ")
		if row.Detail != "" {
			text += ": " + row.Detail
		}
	default:
		text = p.columns(row)
	}
	line := frame.Fit(head+text, p.width)
	if seq == p.cursor {
		return p.theme.Now.Render(line)
	}
	return style.Render(line)
}

// columns puts a row into columns. What came of it is short and stays; what happened can be cut.
func (p *Trace) columns(row trace.Row) string {
	actor, object := 14, 22
	if p.width >= wideColumn {
		actor, object = 22, 32
	} else if p.width < 72 {
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
	free := p.width - frame.Width(text) - timeWidth - 4
	return text + frame.Ends(detail, row.Outcome, free)
}

// ShortActor leaves out what tells least of a controller's name.
func ShortActor(actor string, width int) string {
	if len(actor) > width {
		return strings.TrimSuffix(actor, "-controller")
	}
	return actor
}

func (p *Trace) style(record *trace.Record) lipgloss.Style {
	switch {
	case recording.IsError(record):
		return p.theme.Failed
	case record.Kind == trace.KindFault:
		return p.theme.Fault
	case record.Note != nil, record.Ask != nil, record.Answer != nil, record.Action != nil:
		return p.theme.Note
	case record.Background, record.Sync != nil && p.quiet(record), record.Watch != nil, record.Enqueue != nil:
		return p.theme.Dim
	}
	return lipgloss.NewStyle()
}

// quiet says whether a sync changed nothing.
func (p *Trace) quiet(record *trace.Record) bool {
	end := p.rec.Record(p.rec.SyncEnd(record.Seq))
	return end != nil && end.Sync.Writes == 0 && end.Sync.Requests == 0
}

// Position is where the cursor is in the list, in words.
func (p *Trace) Position() string {
	at, found := slices.BinarySearch(p.visible, p.cursor)
	if found {
		at++
	}
	return strconv.Itoa(at) + " of " + strconv.Itoa(len(p.visible))
}
