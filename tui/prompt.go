package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/scenarios/explore/branch/touch"
	"github.com/kubestep/kubestep/tui/internal/frame"
)

// prompt asks for a line of text in the footer.
type prompt struct {
	// ask is what is asked for; nil if nothing is.
	ask   *ask
	input textinput.Model
	// choice is the marked candidate of a command's menu.
	choice int
	// touched is what the menu begins with: what may be done to it. It is empty for a menu of all commands.
	touched touch.Thing
}

// ask is something that can be asked for.
type ask struct {
	label, hint string
	// typed takes the text after every key, done takes it at the end, and cancelled leaves the prompt without it. Each
	// may be nil.
	typed     func(m *Model, text string)
	done      func(m *Model, text string) tea.Cmd
	cancelled func(m *Model)
}

// All that is asked for. A filter takes effect while it is typed; without an answer, all is shown again.
var (
	askPlace = &ask{
		label: "go to: ", hint: "12.4s or 412",
		done: (*Model).reach,
	}
	askFilter = &ask{
		label: "/", hint: "words, actor:, verb:, object:, !not",
		typed:     func(m *Model, text string) { m.status = m.viewer.setFilter(text) },
		done:      func(m *Model, text string) tea.Cmd { m.status = m.viewer.setFilter(text); return nil },
		cancelled: func(m *Model) { m.status = m.viewer.setFilter("") },
	}
	askScenario = &ask{
		label: "/", hint: "words of a name, title, topic or level",
		typed:     func(m *Model, text string) { m.picker.SetFilter(text) },
		cancelled: func(m *Model) { m.picker.SetFilter("") },
	}
	askPrediction = &ask{
		label: "your answer: ", hint: "a word or a number",
		done:      (*Model).predict,
		cancelled: func(m *Model) { m.status = m.viewer.skip() },
	}
	askCommand = &ask{label: ":", done: (*Model).command}
)

// askFor opens a prompt with a text to begin with.
func (m *Model) askFor(what *ask, text string) {
	input := textinput.New()
	input.Prompt, input.Placeholder = what.label, what.hint
	m.prompt = prompt{ask: what, input: input}
	m.prompt.fit(m.width)
	m.prompt.input.SetValue(text)
	m.prompt.input.CursorEnd()
	m.prompt.input.Focus()
}

// fit lets the text scroll in the width of the screen, with the cursor in it.
func (p *prompt) fit(width int) {
	p.input.Width = max(width-frame.Width(p.input.Prompt)-2, 1)
	p.input.SetCursor(p.input.Position())
}

// updatePrompt gives a key to the prompt.
func (m *Model) updatePrompt(msg tea.KeyMsg) tea.Cmd {
	p := &m.prompt
	switch key := msg.Type; {
	case key == tea.KeyEsc:
		if p.ask.cancelled != nil {
			p.ask.cancelled(m)
		}
		m.prompt = prompt{}
		return nil
	case key == tea.KeyEnter && p.touched != (touch.Thing{}) && p.input.Value() == "":
		// The first enter takes the marked command, so that the reader sees what the next one runs.
		m.complete()
		if isLook(p.input.Value()) {
			return m.answer()
		}
		return nil
	case key == tea.KeyEnter:
		return m.answer()
	case key == tea.KeyTab && p.ask == askCommand:
		m.complete()
		return nil
	case key == tea.KeyUp && p.ask == askCommand:
		p.choice = max(p.choice-1, 0)
		return nil
	case key == tea.KeyDown && p.ask == askCommand:
		p.choice++
		return nil
	case (key == tea.KeyUp || key == tea.KeyDown) && p.ask == askScenario:
		return tea.Batch(m.answer(), m.updateKey(msg))
	}
	if p.ask == askPlace && p.input.Value() == "" && msg.String() == m.keys.Goto.Keys()[0] {
		// Twice the key is the first record, as in vi and less.
		m.prompt = prompt{}
		m.enable()
		return m.updateKey(tea.KeyMsg{Type: tea.KeyHome})
	}
	var cmd tea.Cmd
	p.input, cmd = p.input.Update(msg)
	if p.ask.typed != nil {
		p.ask.typed(m, p.input.Value())
	}
	return cmd
}

// answer takes what was typed.
func (m *Model) answer() (cmd tea.Cmd) {
	what, text := m.prompt.ask, strings.TrimSpace(m.prompt.input.Value())
	m.prompt = prompt{}
	if what.done != nil {
		cmd = what.done(m, text)
	}
	m.enable()
	return cmd
}

// goTo goes to a place that was typed.
func (m *Model) goTo(text string) error {
	if text == "" {
		return nil
	}
	to, err := parsePlace(text)
	if err == nil {
		before := m.viewer.Seq
		err = m.viewer.goTo(to)
		m.followed(before)
	}
	if err != nil {
		m.status = err.Error()
	}
	return err
}
