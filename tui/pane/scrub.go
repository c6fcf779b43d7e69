package pane

import (
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/verb"

	"github.com/charmbracelet/lipgloss"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/theme"
)

// Scrub is the bar of virtual time with what is worth going to. Long waits are cut short and dashed. In a second
// line it names the scenario's steps.
type Scrub struct{}

// Title implements Pane: it has no border.
func (Scrub) Title(Moment, *theme.Theme) (name, detail string) { return "", "" }

// Render implements Pane.
func (Scrub) Render(m Moment, c Canvas) []string {
	p := scrub{m, c}
	if c.Height < 2 {
		return []string{p.bar()}
	}
	return []string{p.bar(), p.labels()}
}

// TimeAt is the time that is at a cell of the bar.
func (Scrub) TimeAt(m Moment, c Canvas, cell int) time.Duration {
	at, _ := m.Rec.Axis().Time(float64(cell) / float64(max(c.Width-1, 1)))
	return at
}

// scrub is a bar that is being drawn.
type scrub drawing

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
		"!", "a fault", func(t *theme.Theme) lipgloss.Style { return t.Fault },
		func(m *recording.Marks) []int64 { return m.Faults },
	},
	{
		"✗", "a check failed", func(t *theme.Theme) lipgloss.Style { return t.Failed },
		func(m *recording.Marks) []int64 { return m.FailedChecks },
	},
}

// cell is where a time is on the bar.
func (p scrub) cell(at time.Duration) int {
	return int(p.Rec.Axis().Place(at) * float64(max(p.Width-1, 0)))
}

// bar draws the bar with the cursor.
func (p scrub) bar() string {
	cells := make([]string, p.Width)
	now := p.cell(p.Rec.At(p.Seq))
	for i := range cells {
		_, cut := p.Rec.Axis().Time(float64(i) / float64(max(p.Width-1, 1)))
		switch {
		case i <= now && cut:
			cells[i] = "╍"
		case i <= now:
			cells[i] = "━"
		case cut:
			cells[i] = p.Theme.Dim.Render("╌")
		default:
			cells[i] = p.Theme.Dim.Render("─")
		}
	}
	marks := p.Rec.Marks()
	for _, s := range signs {
		for _, seq := range s.of(marks) {
			cells[p.cell(p.Rec.At(seq))] = s.style(p.Theme).Render(s.glyph)
		}
	}
	if p.Diverged > 0 && p.Width > 0 {
		cells[p.cell(p.Rec.At(p.Diverged))] = p.Theme.Fault.Render(partedGlyph)
	}
	if p.Width > 0 {
		cells[now] = p.Theme.Now.Render("▲")
	}
	return strings.Join(cells, "")
}

// labels names the scenario's steps below the bar, where there is room.
func (p scrub) labels() string {
	line := []rune(strings.Repeat(" ", p.Width))
	free := 0
	for _, seq := range p.Rec.Marks().Actions {
		action := p.Rec.Record(seq).Action
		if verb.Observes(action.Verb) {
			continue
		}
		at := max(p.cell(p.Rec.At(seq)), 0)
		name := []rune(action.Verb)
		if at+len(name) > p.Width {
			at = p.Width - len(name)
		}
		if at < free || at < 0 {
			continue
		}
		copy(line[at:], name)
		free = at + len(name) + 1
	}
	return p.Theme.Dim.Render(string(line))
}
