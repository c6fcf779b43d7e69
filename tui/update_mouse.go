package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/internal/pane"
	"github.com/kubestep/kubestep/tui/internal/views"
)

// updateMouse moves on the bar of time, selects lines in the panes and things on the stage, and moves with the wheel.
func (m *Model) updateMouse(msg tea.MouseMsg) tea.Cmd {
	pressed := msg.Action == tea.MouseActionPress
	clicked := pressed && msg.Button == tea.MouseButtonLeft
	switch {
	case m.prompt.ask == askCommand && clicked:
		return m.clickMenu(msg.Y)
	case m.help.open, m.terms.Open, m.prompt.ask != nil:
		return nil
	}
	switch m.screen {
	case screenPicker:
		return m.pickerMouse(msg)
	case screenLoading:
		return nil
	}
	v, from, asked := m.viewer, m.viewer.Moment, m.viewer.Question() != nil
	if choice, ok := m.choiceAt(msg.X, msg.Y); ok && clicked {
		return m.predict(choice)
	}
	switch {
	case msg.Button == tea.MouseButtonWheelDown:
		m.status = v.to(recording.Next(v.Visible, v.Seq), "no record after this one")
	case msg.Button == tea.MouseButtonWheelUp:
		m.status = v.to(recording.Previous(v.Visible, v.Seq), "no record before this one")
	case msg.Button == tea.MouseButtonLeft && (pressed || msg.Action == tea.MouseActionMotion):
		m.click(msg.X, msg.Y, pressed)
		if pressed && v.Seq != from.Seq {
			v.trail = append(v.trail, from.Seq)
		}
	}
	if v.Seq != from.Seq {
		v.pause()
	}
	switch {
	case asked && v.Seq > from.Seq:
		v.Moment, m.status = from, questionFirst
	case msg.Button == tea.MouseButtonWheelDown && v.Seq == from.Seq:
		return m.more(recording.Extent{}, nil)
	}
	return nil
}

// click goes to a time on the bar, to a view or a panel by its tab, to the line of a pane, or to a thing.
func (m *Model) click(x, y int, pressed bool) {
	v, at := m.viewer, m.moment()
	l, _ := m.arranged(at)
	if bar := v.bar(l); bar.Contains(x, y) {
		v.show(pane.Scrub{}.At(at, pane.Canvas{Width: bar.W}, x-bar.X))
		return
	}
	main, side, below := m.places(l, at)
	if m.clickTab(x, y, main, side, below) {
		return
	}
	for _, p := range []placed{main, side, below} {
		if pointer, ok := p.Pane.(pane.Pointer); ok && pressed && p.rect.Contains(x, y) {
			m.point(pointer, p, x, y)
			return
		}
		clicker, ok := p.Pane.(pane.Clicker)
		inside := p.canvas(m).Inside()
		if ok && (views.Rect{X: p.rect.X + 2, Y: p.rect.Y + 1, W: inside.Width, H: inside.Height}).Contains(x, y) {
			m.adopt(clicker.Click(at, inside, y-p.rect.Y-1))
		}
	}
}

// point selects the thing at a cell. Where it is selected already, a click does what enter does.
func (m *Model) point(pointer pane.Pointer, p placed, x, y int) {
	before := m.moment()
	after, ok := pointer.Point(before, p.canvas(m), x-p.rect.X, y-p.rect.Y)
	if !ok {
		return
	}
	m.adopt(after)
	if toucher, is := pointer.(pane.Toucher); is && m.keys.Open.Enabled() {
		was, selected := toucher.Touch(before)
		if now, _ := toucher.Touch(after); selected && was == now {
			m.touch()
		}
	}
}

// choiceAt is the choice of the open question at a cell; ok is false if there is none.
func (m *Model) choiceAt(x, y int) (choice string, ok bool) {
	at := m.moment()
	ask := at.Question()
	if ask == nil || m.sheet(at) != sheetCard {
		return "", false
	}
	l, card := m.arranged(at)
	top := l.Footer.Y - card.Height
	i, ok := pane.Card{}.ChoiceAt(at, card.Inside(), y-top-1)
	if !ok || x < 1 || x >= m.width-1 || y <= top || y >= l.Footer.Y-1 {
		return "", false
	}
	return ask.Choices[i], true
}

// clickMenu takes the candidate on a line of the menu, or runs the command where the line says so.
func (m *Model) clickMenu(y int) tea.Cmd {
	l, card := m.arranged(m.moment())
	line := y - (l.Footer.Y - card.Height) - 1
	all, from, to := m.offered()
	switch {
	case line < 0 || line >= card.Height-2:
	case len(all) == 0:
		return m.answer()
	case from+line == to-1 && to < len(all):
		// The line says how many more there are.
		m.prompt.choice = to
	case from+line < to:
		m.prompt.choice = from + line
		m.complete()
		if isLook(m.prompt.input.Value()) {
			return m.answer()
		}
	}
	return nil
}
