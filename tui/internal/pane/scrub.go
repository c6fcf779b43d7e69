package pane

import (
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/verb"

	"github.com/charmbracelet/lipgloss"

	"github.com/kubestep/kubestep/sim/recording/film"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// Scrub is the bar of time with what is worth going to. It is drawn over the beats of the film, so that the milliseconds in which
// all happens are as wide as they deserve, or in a live play in proportion to virtual time. Long waits are cut short and dashed. In a
// second line it names the scenario's steps and their times.
type Scrub struct{}

// Title implements Pane: it has no border.
func (Scrub) Title(Moment, *theme.Theme) (name, detail string) { return "", "" }

// Render implements Pane.
func (Scrub) Render(m Moment, c Canvas) []string {
	p := scrub{drawing{m, c}, m.axis()}
	if c.Height < 2 {
		return []string{p.bar()}
	}
	return []string{p.bar(), p.labels()}
}

// At is the record at a cell of the bar, and the time there.
func (Scrub) At(m Moment, c Canvas, cell int) (seq int64, at time.Duration) {
	axis, place := m.axis(), float64(cell)/float64(max(c.Width-1, 1))
	at, _ = axis.Time(place)
	return axis.Record(place), at
}

// scrub is a bar that is being drawn.
type scrub struct {
	drawing
	axis film.Axis
}

// sign is how a mark is drawn. Of two in one cell the later one in the list of signs wins.
type sign struct {
	glyph, word string
	style       func(*theme.Theme) lipgloss.Style
	of          func(Moment) []int64
}

// partedGlyph marks where a branch leaves its parent.
const partedGlyph = "◇"

var signs = []sign{
	{
		"◆", "a decision of a controller", func(t *theme.Theme) lipgloss.Style { return t.Now },
		func(m Moment) []int64 { return m.Scenes.Film.Decisions() },
	},
	{
		"╵", "a note, a question or an answer", func(t *theme.Theme) lipgloss.Style { return t.Note },
		func(m Moment) []int64 { return m.Rec.Marks().Notes },
	},
	{
		"┬", "an action of the scenario", func(t *theme.Theme) lipgloss.Style { return t.Note },
		func(m Moment) []int64 { return m.Rec.Marks().Actions },
	},
	{
		"!", "a fault", func(t *theme.Theme) lipgloss.Style { return t.Fault },
		func(m Moment) []int64 { return m.Rec.Marks().Faults },
	},
	{
		"✗", "a check failed", func(t *theme.Theme) lipgloss.Style { return t.Failed },
		func(m Moment) []int64 { return m.Rec.Marks().FailedChecks },
	},
}

// cell is where a record is on the bar, or a time after it.
func (p scrub) cell(seq int64, at time.Duration) int {
	return int(p.axis.Place(seq, at) * float64(max(p.Width-1, 0)))
}

// bar draws the bar with the cursor.
func (p scrub) bar() string {
	cells := make([]string, p.Width)
	now := p.cell(p.Seq, p.Now)
	for i := range cells {
		_, cut := p.axis.Time(float64(i) / float64(max(p.Width-1, 1)))
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
	for _, s := range signs {
		for _, seq := range s.of(p.Moment) {
			cells[p.cell(seq, p.Rec.At(seq))] = s.style(p.Theme).Render(s.glyph)
		}
	}
	if p.Diverged > 0 && p.Width > 0 {
		cells[p.cell(p.Diverged, p.Rec.At(p.Diverged))] = p.Theme.Fault.Render(partedGlyph)
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
		at := max(p.cell(seq, p.Rec.At(seq)), 0)
		name := action.Verb + " " + p.Rec.At(seq).Round(10*time.Millisecond).String()
		at = min(at, p.Width-len(name))
		if at < free || at < 0 {
			continue
		}
		copy(line[at:], []rune(name))
		free = at + len(name) + 2
	}
	return p.Theme.Dim.Render(string(line))
}
