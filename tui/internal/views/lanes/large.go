package lanes

import (
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/pane"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// Large shows the lanes to a room: those that the scenario directs the reader to, or else those that write most, each legible from the
// last row.
type Large struct{}

// Title implements pane.Pane: it has no border.
func (Large) Title(pane.Moment, *theme.Theme) (name, detail string) { return "", "" }

// Missing implements pane.Conditional.
func (Large) Missing(m pane.Moment) string { return Components{}.Missing(m) }

// mostLarge is how many lanes a room is shown, and largeMargin what is free at both sides.
const mostLarge, largeMargin = 4, 2

// Render implements pane.Pane.
func (Large) Render(m pane.Moment, c pane.Canvas) []string {
	c.Width -= 2 * largeMargin
	p := drawing{Moment: m, Canvas: c}
	shown := p.shown(mostLarge)
	each := min((c.Height-1)/max(len(shown), 1), tallest)
	var lines []string
	programs := p.programs(p.Latest(), shown)
	for i := range programs {
		lines = append(lines, frame.Block(p.large(&programs[i], each), c.Width, each)...)
	}
	for i := range lines {
		lines[i] = strings.Repeat(" ", largeMargin) + lines[i]
	}
	return lines
}

// The lines of a large lane: a lane has as many of them as there is room for. A lane that is taller stands too far from the next one.
const tallest = 9

// serverWidth is the width of the API server, at the end of each message.
const serverWidth = 14

// large draws a component in so many lines.
func (p drawing) large(s *scene.Program, height int) []string {
	name := p.Theme.Title
	if p.acts(s) {
		name = p.Theme.Now
	}
	head := name.Render(s.Mark + " " + s.Name)
	if s.About != "" {
		head += p.Theme.Tone(s.Tone).Render("   " + s.About)
	}
	server := p.Theme.Title.Render("┃ API server")
	lines := []string{"", head, p.message(s.Message, p.Width-serverWidth) + server}
	lines = append(lines, p.Theme.Dim.Render(frame.Fit("  "+detail(s), p.Width)))
	switch {
	case s.Syncs:
		lines = append(lines, p.knows(s, p.Width))
		lines = append(lines, p.decision(s, p.Width, 2)...)
	case s.Role == scene.Kubelet:
		lines = append(lines, p.nodes(s, p.Width))
		if room := min(height-len(lines), s.Pods); room > 0 {
			lines = append(lines, p.workers(s, p.Width, room)...)
		}
	}
	if height < len(lines) {
		// The empty line above goes first.
		lines = lines[1:]
	}
	return lines
}
