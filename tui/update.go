package tui

import (
	"strconv"

	tea "github.com/charmbracelet/bubbletea"
)

// Update implements tea.Model: it hands each message to its family.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.KeyMsg:
		cmd = m.updateKey(msg)
	case tea.MouseMsg:
		cmd = m.updateMouse(msg)
	case tickMsg:
		cmd = m.updateTick(msg)
	case progressMsg, loadedMsg:
		cmd = m.updateLoading(msg)
	default:
		if m.prompt.ask != askNothing {
			m.prompt.input, cmd = m.prompt.input.Update(msg)
		}
	}
	m.enable()
	return m, cmd
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
