package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// prompt asks for a line of text in the footer.
type prompt struct {
	ask   ask
	input textinput.Model
	// choice is the marked candidate of a command's menu.
	choice int
}

// ask is what a prompt asks for.
type ask int

const (
	askNothing ask = iota
	askPlace
	askFilter
	askScenario
	askPrediction
	askCommand
)

func newPrompt(what ask, label, value, hint string) prompt {
	input := textinput.New()
	input.Prompt = label
	input.Placeholder = hint
	input.SetValue(value)
	input.CursorEnd()
	input.Focus()
	return prompt{ask: what, input: input}
}

// updatePrompt gives a key to the prompt. A filter takes effect while it is typed.
func (m *Model) updatePrompt(msg tea.KeyMsg) tea.Cmd {
	switch msg.Type {
	case tea.KeyEsc:
		m.cancelPrompt()
		return nil
	case tea.KeyEnter:
		return m.answer()
	case tea.KeyTab:
		if m.prompt.ask == askCommand {
			m.complete()
			return nil
		}
	case tea.KeyUp, tea.KeyDown:
		if m.prompt.ask == askCommand {
			m.prompt.choice = max(m.prompt.choice+map[tea.KeyType]int{tea.KeyUp: -1, tea.KeyDown: 1}[msg.Type], 0)
			return nil
		}
		if m.prompt.ask == askScenario {
			_ = m.answer()
			return m.updateKey(msg)
		}
	}
	var cmd tea.Cmd
	m.prompt.input, cmd = m.prompt.input.Update(msg)
	switch m.prompt.ask {
	case askFilter:
		m.status = m.viewer.setFilter(m.prompt.input.Value())
	case askScenario:
		m.picker.setFilter(m.prompt.input.Value())
	}
	return cmd
}

// cancelPrompt leaves a prompt without an answer; what was filtered is shown again.
func (m *Model) cancelPrompt() {
	switch m.prompt.ask {
	case askFilter:
		m.status = m.viewer.setFilter("")
	case askScenario:
		m.picker.setFilter("")
	case askPrediction:
		m.status = m.viewer.skip()
	}
	m.prompt = prompt{}
}

// answer takes what was typed.
func (m *Model) answer() (cmd tea.Cmd) {
	value := strings.TrimSpace(m.prompt.input.Value())
	switch m.prompt.ask {
	case askPrediction:
		cmd = m.predict(value)
	case askCommand:
		m.prompt = prompt{}
		cmd = m.command(value)
	case askPlace:
		m.goTo(value)
	case askFilter:
		m.status = m.viewer.setFilter(value)
	}
	m.prompt = prompt{}
	m.enable()
	return cmd
}

// goTo goes to a place that was typed.
func (m *Model) goTo(text string) {
	if text == "" {
		return
	}
	to, err := parsePlace(text)
	if err == nil {
		err = m.viewer.goTo(to)
	}
	if err != nil {
		m.status = err.Error()
	}
}
