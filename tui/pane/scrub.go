package pane

import (
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/frame"
	"github.com/kubestep/kubestep/tui/theme"
)

// Scrub is the bar of virtual time with what is worth going to. Long waits are cut short and dashed.
type Scrub struct {
	base
	// parted is the first record that the parent of a branch does not have.
	parted int64
}

// SetParted marks the first record that a branch's parent does not have.
func (p *Scrub) SetParted(seq int64) { p.parted = seq }

// sign is how a mark is drawn. Of two in one cell the later one in the list of signs wins.
type sign struct {
	glyph, word string
	style       func(*theme.Theme) lipgloss.Style
	of          func(*recording.Marks) []int64
}

// partedGlyph marks where a branch leaves its parent.
const partedGlyph = "◇"

var signs = []sign{
	{
		"╵", "a note, a question or an answer", func(t *theme.Theme) lipgloss.Style { return t.Note },
		func(m *recording.Marks) []int64 { return m.Notes },
	},
	{
		"┬", "an action of the scenario", func(t *theme.Theme) lipgloss.Style { return t.Note },
		func(m *recording.Marks) []int64 { return m.Actions },
	},
	{
		"!", "something was made to fail", func(t *theme.Theme) lipgloss.Style { return t.Fault },
		func(m *recording.Marks) []int64 { return m.Faults },
	},
	{
		"✗", "a check failed", func(t *theme.Theme) lipgloss.Style { return t.Failed },
		func(m *recording.Marks) []int64 { return m.FailedChecks },
	},
}

// NewScrub returns the pane.
func NewScrub(rec *recording.Recording, t *theme.Theme) *Scrub {
	return &Scrub{base: base{rec: rec, theme: t}}
}

// cell is where a time stands on the bar.
func (p *Scrub) cell(at time.Duration) int {
	return int(p.rec.Axis().Place(at) * float64(max(p.width-1, 0)))
}

// TimeAt is the time that stands at a cell of the bar.
func (p *Scrub) TimeAt(cell int) time.Duration {
	at, _ := p.rec.Axis().Time(float64(cell) / float64(max(p.width-1, 1)))
	return at
}

// Bar draws the bar with the cursor.
func (p *Scrub) Bar() string {
	cells := make([]string, p.width)
	now := p.cell(p.rec.At(p.cursor))
	for i := range cells {
		_, cut := p.rec.Axis().Time(float64(i) / float64(max(p.width-1, 1)))
		switch {
		case i <= now && cut:
			cells[i] = "╍"
		case i <= now:
			cells[i] = "━"
		case cut:
			cells[i] = p.theme.Dim.Render("╌")
		default:
			cells[i] = p.theme.Dim.Render("─")
		}
	}
	marks := p.rec.Marks()
	for _, s := range signs {
		for _, seq := range s.of(marks) {
			cells[p.cell(p.rec.At(seq))] = s.style(p.theme).Render(s.glyph)
		}
	}
	if p.parted > 0 && p.width > 0 {
		cells[p.cell(p.rec.At(p.parted))] = p.theme.Fault.Render(partedGlyph)
	}
	if p.width > 0 {
		cells[now] = p.theme.Now.Render("▲")
	}
	return strings.Join(cells, "")
}

// Labels names the scenario's steps below the bar, where there is room.
func (p *Scrub) Labels() string {
	line := []rune(strings.Repeat(" ", p.width))
	free := 0
	for _, seq := range p.rec.Marks().Actions {
		action := p.rec.Record(seq).Action
		if action.Verb == "wait" || action.Verb == "expect" {
			continue
		}
		at := max(p.cell(p.rec.At(seq)), 0)
		name := []rune(action.Verb)
		if at+len(name) > p.width {
			at = p.width - len(name)
		}
		if at < free || at < 0 {
			continue
		}
		copy(line[at:], name)
		free = at + len(name) + 1
	}
	return p.theme.Dim.Render(string(line))
}

// Clock is the time of the cursor.
func (p *Scrub) Clock() string { return frame.Right(trace.Seconds(p.rec.At(p.cursor)), 10) }
