package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/sim/recording"
)

// updateMouse scrubs on the bar, selects records in the trace, and moves with the wheel.
func (m *Model) updateMouse(msg tea.MouseMsg) tea.Cmd {
	if m.screen != screenViewer || m.help || m.prompt.ask != askNothing {
		return nil
	}
	v := m.viewer
	switch msg.Button {
	case tea.MouseButtonWheelDown:
		m.pause()
		m.to(recording.Next(v.visible, v.cursor), "no record after this one")
	case tea.MouseButtonWheelUp:
		m.pause()
		m.to(recording.Previous(v.visible, v.cursor), "no record before this one")
	case tea.MouseButtonLeft:
		if msg.Action == tea.MouseActionPress || msg.Action == tea.MouseActionMotion {
			m.click(msg.X, msg.Y)
		}
	}
	return nil
}

func (m *Model) click(x, y int) {
	v, l := m.viewer, m.layout()
	bar := m.barRect(l)
	list := m.traceRect(l)
	switch {
	case bar.Contains(x, y):
		m.pause()
		v.scrub.SetSize(bar.W, 1)
		v.seek(v.scrub.TimeAt(x - bar.X))
	case list.Contains(x, y):
		m.pause()
		v.trace.SetSize(list.W, list.H)
		if window := v.trace.Window(); y-list.Y < len(window) {
			v.move(window[y-list.Y])
		}
	}
}

// barRect is where the bar of time is.
func (m *Model) barRect(l Layout) Rect {
	if l.Breakpoint == TooSmall {
		return Rect{}
	}
	left, right := m.clockWidth(), m.countWidth()
	return Rect{left, l.Header.Y + 1, max(l.Header.W-left-right, 4), 1}
}

// traceRect is where the lines of the trace are, inside of their box.
func (m *Model) traceRect(l Layout) Rect {
	inside := func(r Rect) Rect { return Rect{r.X + 2, r.Y + 1, max(r.W-4, 0), max(r.H-2, 0)} }
	switch v := m.viewer; {
	case l.Breakpoint == TooSmall:
	case v.view == ViewTrace:
		return inside(l.Main)
	case v.view != ViewObjects && (l.Breakpoint != Narrow || m.panelName() == "Trace"):
		return inside(l.Bottom)
	}
	return Rect{}
}
