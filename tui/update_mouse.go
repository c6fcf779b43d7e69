package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/pane"
)

// updateMouse moves on the bar of time, selects lines in the panes, and moves with the wheel.
func (m *Model) updateMouse(msg tea.MouseMsg) {
	if m.screen != screenViewer || m.help.open || m.prompt.ask != askNothing {
		return
	}
	v := m.viewer
	switch msg.Button {
	case tea.MouseButtonWheelDown:
		v.pause()
		m.status = v.to(recording.Next(v.Visible, v.Seq), "no record after this one")
	case tea.MouseButtonWheelUp:
		v.pause()
		m.status = v.to(recording.Previous(v.Visible, v.Seq), "no record before this one")
	case tea.MouseButtonLeft:
		if msg.Action == tea.MouseActionPress || msg.Action == tea.MouseActionMotion {
			m.click(msg.X, msg.Y)
		}
	}
}

// click goes to a time on the bar, or to the line of a pane.
func (m *Model) click(x, y int) {
	v, l, at := m.viewer, m.layout(), m.moment()
	if bar := v.bar(l); bar.Contains(x, y) {
		v.pause()
		v.seek(pane.Scrub{}.TimeAt(at, pane.Canvas{Width: bar.W}, x-bar.X))
		return
	}
	main, side, below := m.places(l, at)
	for _, p := range []placed{main, side, below} {
		clicker, ok := p.Pane.(pane.Clicker)
		inside := p.canvas(m).Inside()
		if ok && (Rect{p.rect.X + 2, p.rect.Y + 1, inside.Width, inside.Height}).Contains(x, y) {
			m.adopt(clicker.Click(at, inside, y-p.rect.Y-1))
		}
	}
}
