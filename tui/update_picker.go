package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/tui/internal/picker"
)

// pickerKey chooses a scenario.
func (m *Model) pickerKey(msg tea.KeyMsg) tea.Cmd {
	p, k := &m.picker, &m.keys
	switch {
	case key.Matches(msg, k.Up):
		p.Move(-1)
	case key.Matches(msg, k.Down):
		p.Move(1)
	case key.Matches(msg, k.ScrollUp):
		p.Move(-10)
	case key.Matches(msg, k.ScrollDown):
		p.Move(10)
	case key.Matches(msg, k.Start):
		p.Move(-p.Len())
	case key.Matches(msg, k.End):
		p.Move(p.Len())
	case key.Matches(msg, k.Filter):
		m.askFor(askScenario, p.Filter())
	case key.Matches(msg, k.Escape):
		p.SetFilter("")
	case key.Matches(msg, k.Open):
		return m.open()
	}
	return nil
}

// pickerMouse selects the scenario of a click, and opens the one that is selected. The wheel moves by one line.
func (m *Model) pickerMouse(msg tea.MouseMsg) tea.Cmd {
	switch {
	case msg.Button == tea.MouseButtonWheelDown:
		m.picker.Move(1)
	case msg.Button == tea.MouseButtonWheelUp:
		m.picker.Move(-1)
	case msg.Button == tea.MouseButtonLeft && msg.Action == tea.MouseActionPress:
		if selected := m.picker.Click(msg.X, msg.Y, m.width, m.height-len(m.footer())); selected {
			return m.open()
		}
	}
	return nil
}

// open runs the selected scenario.
func (m *Model) open() tea.Cmd {
	entry := m.picker.Selected()
	if entry == nil {
		return nil
	}
	return m.openEntry(*entry)
}

// openLesson runs a lesson of the course.
func (m *Model) openLesson(name string) tea.Cmd {
	lesson, err := library.Load(name)
	if err != nil {
		m.status = err.Error()
		return nil
	}
	return m.openEntry(picker.NewEntry(lesson, name).In(m.options.Language))
}

func (m *Model) openEntry(entry picker.Entry) tea.Cmd {
	m.loading.entry.Keyframes.Close()
	m.loading = newLoading(&m.options, m.withKeyframes(entry))
	m.screen = screenLoading
	return m.loading.start(m.options.Open)
}
