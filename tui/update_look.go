package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/tui/internal/keymap"
	"github.com/kubestep/kubestep/tui/internal/pane"
	"github.com/kubestep/kubestep/tui/internal/views"
)

// scrollLines is how far a key scrolls a pane.
const scrollLines = 5

// lookKey changes what is shown, not where.
func (m *Model) lookKey(msg tea.KeyMsg) bool {
	v, k := m.viewer, &m.keys
	if v.viewKey(msg, k, m.breakpoint()) || v.paneKey(msg, k, m.breakpoint()) {
		return true
	}
	switch {
	case key.Matches(msg, k.Open) && m.touch():
	case key.Matches(msg, k.Open):
		if at, ok := m.choose(); ok {
			m.adopt(at)
		}
	case key.Matches(msg, k.Present):
		m.present = !m.present
	case key.Matches(msg, k.Up):
		m.selectLine(-1)
	case key.Matches(msg, k.Down):
		m.selectLine(1)
	case key.Matches(msg, k.All):
		v.All = !v.All
		v.list()
		m.status = "shows the important records"
		if v.All {
			m.status = "shows every record"
		}
	default:
		return false
	}
	return true
}

// viewKey switches to a view of the table.
func (v *viewer) viewKey(msg tea.KeyMsg, k *keymap.KeyMap, b views.Breakpoint) bool {
	for i, view := range views.All {
		switch {
		case key.Matches(msg, k.Views[i]):
			v.open(view)
			return true
		case key.Matches(msg, k.Shortcuts[i]):
			v.openPane(view, view.Shortcut.Pane, b)
			return true
		}
	}
	return false
}

// paneKey changes what the panes of the view show.
func (v *viewer) paneKey(msg tea.KeyMsg, k *keymap.KeyMap, b views.Breakpoint) bool {
	switch {
	case key.Matches(msg, k.Panel):
		v.switchTab(1, b)
	case key.Matches(msg, k.PreviousPanel):
		v.switchTab(-1, b)
	case key.Matches(msg, k.ScrollDown):
		v.Scroll += scrollLines
	case key.Matches(msg, k.ScrollUp):
		v.Scroll = max(v.Scroll-scrollLines, 0)
	case key.Matches(msg, k.NextWorkload):
		v.switchWorkload(1)
	case key.Matches(msg, k.OldWorkload):
		v.switchWorkload(-1)
	default:
		return false
	}
	return true
}

// selectLine selects a line above or below in the view. Where no line can be selected, it scrolls.
func (m *Model) selectLine(by int) {
	if lister := m.viewer.lister(m.breakpoint()); lister != nil {
		m.adopt(lister.Select(m.moment(), by))
	} else {
		m.viewer.Scroll = max(m.viewer.Scroll+by, 0)
	}
}

// choose is the moment after enter; ok reports whether the view has something to choose.
func (m *Model) choose() (after pane.Moment, ok bool) {
	if chooser, is := m.viewer.view.Main.(pane.Chooser); is {
		return chooser.Choose(m.moment())
	}
	return pane.Moment{}, false
}

// touch offers what may be done to the object that is selected. It reports whether the view has such an object.
func (m *Model) touch() bool {
	toucher, is := m.viewer.view.Main.(pane.Toucher)
	if !is {
		return false
	}
	thing, ok := toucher.Touch(m.moment())
	switch {
	case !ok:
		m.adopt(toucher.Select(m.moment(), 0))
		return true
	case !m.keys.Command.Enabled():
		// A trace has no branches.
		return m.lookInto("")
	}
	m.viewer.pause()
	m.askFor(askCommand, "")
	m.prompt.touched = thing
	return true
}
