package pane

import (
	"github.com/charmbracelet/lipgloss"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/theme"
)

// glyph is how a Pod's phase is drawn, in words and in one cell.
type glyph struct {
	mark, word string
	style      func(*theme.Theme) lipgloss.Style
}

var glyphs = map[recording.Phase]glyph{
	recording.Absent:      {" ", "none", func(t *theme.Theme) lipgloss.Style { return t.Dim }},
	recording.Pending:     {"·", "Pending", func(t *theme.Theme) lipgloss.Style { return t.Pending }},
	recording.Running:     {"◔", "running, not ready", func(t *theme.Theme) lipgloss.Style { return t.Pending }},
	recording.Ready:       {"◑", "ready, not yet available", func(t *theme.Theme) lipgloss.Style { return t.Pending }},
	recording.Available:   {"●", "available", func(t *theme.Theme) lipgloss.Style { return t.Ready }},
	recording.Terminating: {"✕", "terminating", func(t *theme.Theme) lipgloss.Style { return t.Terminating }},
	recording.Failed:      {"!", "failed", func(t *theme.Theme) lipgloss.Style { return t.Failed }},
	recording.Succeeded:   {"✓", "succeeded", func(t *theme.Theme) lipgloss.Style { return t.Ready }},
}

func (c Canvas) glyph(p recording.Phase) string {
	g := glyphs[p]
	return g.style(c.Theme).Render(g.mark)
}
