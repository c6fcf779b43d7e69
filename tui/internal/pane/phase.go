package pane

import (
	"github.com/charmbracelet/lipgloss"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// phaseStyles are the styles of the phases of a Pod.
var phaseStyles = map[recording.Phase]func(*theme.Theme) lipgloss.Style{
	recording.Absent:      func(t *theme.Theme) lipgloss.Style { return t.Dim },
	recording.Pending:     func(t *theme.Theme) lipgloss.Style { return t.Pending },
	recording.Running:     func(t *theme.Theme) lipgloss.Style { return t.Pending },
	recording.Ready:       func(t *theme.Theme) lipgloss.Style { return t.Pending },
	recording.Available:   func(t *theme.Theme) lipgloss.Style { return t.Ready },
	recording.Terminating: func(t *theme.Theme) lipgloss.Style { return t.Terminating },
	recording.Failed:      func(t *theme.Theme) lipgloss.Style { return t.Failed },
	recording.Succeeded:   func(t *theme.Theme) lipgloss.Style { return t.Ready },
}

// Glyph is the mark of a phase in its style.
func (c Canvas) Glyph(p recording.Phase) string { return phaseStyles[p](c.Theme).Render(p.Mark()) }
