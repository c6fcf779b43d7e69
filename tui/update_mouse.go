package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/internal/pane"
	"github.com/kubestep/kubestep/tui/internal/views"
)

// updateMouse moves on the bar of time, selects lines in the panes, and moves with the wheel.
func (m *Model) updateMouse(msg tea.MouseMsg) tea.Cmd {
	if m.help.open || m.terms.Open || m.prompt.ask != nil {
		return nil
	}
	switch m.screen {
	case screenPicker:
		return m.pickerMouse(msg)
	case screenLoading:
		return nil
	}
	v, from, asked := m.viewer, m.viewer.Moment, m.viewer.Question() != nil
	switch pressed := msg.Action == tea.MouseActionPress; {
	case msg.Button == tea.MouseButtonWheelDown:
		m.status = v.to(recording.Next(v.Visible, v.Seq), "no record after this one")
	case msg.Button == tea.MouseButtonWheelUp:
		m.status = v.to(recording.Previous(v.Visible, v.Seq), "no record before this one")
	case msg.Button == tea.MouseButtonLeft && (pressed || msg.Action == tea.MouseActionMotion):
		m.click(msg.X, msg.Y)
		if pressed && v.Seq != from.Seq {
			v.trail = append(v.trail, from.Seq)
		}
	}
	if v.Seq != from.Seq {
		v.pause()
	}
	if asked && v.Seq > from.Seq {
		v.Moment, m.status = from, questionFirst
	}
	return nil
}

// click goes to a time on the bar, to a view or a panel by its tab, or to the line of a pane.
func (m *Model) click(x, y int) {
	v, l, at := m.viewer, m.layout(), m.moment()
	if bar := v.bar(l); bar.Contains(x, y) {
		v.show(pane.Scrub{}.At(at, pane.Canvas{Width: bar.W}, x-bar.X))
		return
	}
	main, side, below := m.places(l, at)
	if m.clickTab(x, y, main, side, below) {
		return
	}
	for _, p := range []placed{main, side, below} {
		clicker, ok := p.Pane.(pane.Clicker)
		inside := p.canvas(m).Inside()
		if ok && (views.Rect{X: p.rect.X + 2, Y: p.rect.Y + 1, W: inside.Width, H: inside.Height}).Contains(x, y) {
			m.adopt(clicker.Click(at, inside, y-p.rect.Y-1))
		}
	}
}
