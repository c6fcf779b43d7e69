package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/tui/internal/remote"
	"github.com/kubestep/kubestep/tui/internal/views"
)

// Update implements tea.Model: it hands each message to its family.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.drawn = ""
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		if m.prompt.ask != nil {
			m.prompt.fit(m.width)
		}
	case tea.KeyMsg:
		m.loading.used = true
		return m, m.andThen(m.updateKeys(msg))
	case tea.MouseMsg:
		m.loading.used = true
		cmd = m.updateMouse(msg)
	case tickMsg:
		cmd = m.updateTick(msg)
	case progressMsg, earlyMsg, loadedMsg:
		cmd = m.updateLoading(msg)
	case remote.News, remote.Answer, liveReady:
		cmd = m.updateLive(msg)
	case pastMsg:
		cmd = m.updatePast(msg)
	case savedMsg:
		m.updateSaved(msg)
	case explainedMsg:
		m.updateExplained(msg)
	default:
		if m.prompt.ask != nil {
			m.prompt.input, cmd = m.prompt.input.Update(msg)
		}
	}
	m.settle()
	return m, m.andThen(cmd)
}

// andThen adds to a command what the screen needs after a message.
func (m *Model) andThen(cmd tea.Cmd) tea.Cmd { return tea.Batch(cmd, m.readAhead(), m.explain()) }

// settle lets the rest follow what a message has changed.
func (m *Model) settle() {
	m.meet()
	m.enable()
	if m.help.open && m.breakpoint() != views.TooSmall {
		m.help.fit(helpBlocks(m.theme, &m.keys, m.screen == screenViewer), m.width, m.height)
	}
}

// updateKeys splits a message that holds several keys: what is typed faster than it is read, as by a key
// that is held down or through a slow line, arrives as one. Text that is pasted stays whole.
func (m *Model) updateKeys(msg tea.KeyMsg) tea.Cmd {
	keys := []tea.KeyMsg{msg}
	if msg.Type == tea.KeyRunes && !msg.Paste && len(msg.Runes) > 1 {
		keys = nil
		for _, r := range msg.Runes {
			keys = append(keys, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt})
		}
	}
	var cmds []tea.Cmd
	for _, key := range keys {
		cmds = append(cmds, m.updateKey(key))
		m.settle()
	}
	return tea.Batch(cmds...)
}
