package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/scenarios/reading/why"
	"github.com/kubestep/kubestep/sim/trace/visible"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/pane"
	"github.com/kubestep/kubestep/tui/internal/views"
)

// View implements tea.Model. What it draws has exactly the terminal's size, and no escape sequences but those of colors.
func (m *Model) View() string {
	if m.drawn != "" {
		return m.drawn
	}
	return m.draw()
}

// draw draws the screen.
func (m *Model) draw() string {
	if m.breakpoint() == views.TooSmall {
		return m.tooSmall()
	}
	footer := m.footer()
	height := m.height - len(footer)
	var lines []string
	switch {
	case m.terms.Open:
		lines = m.terms.View(m.theme, m.width, height)
	case m.help.open:
		lines = m.help.view(m.theme, m.width, height)
	case m.screen == screenPicker:
		lines = m.picker.View(m.theme, m.width, height)
	case m.screen == screenLoading:
		lines = m.loading.view(m.theme, m.width, height)
	default:
		lines = m.viewRecording()
	}
	return visible.Screen(strings.Join(append(frame.Block(lines, m.width, height), footer...), "\n"))
}

func (m *Model) tooSmall() string {
	text := fmt.Sprintf("kubestep needs %d x %d cells\nand has %d x %d: make the\nwindow larger, or q quits",
		views.MinWidth, views.MinHeight, m.width, m.height)
	text = lipgloss.PlaceVertical(m.height, lipgloss.Center, text)
	return strings.Join(frame.Block(strings.Split(text, "\n"), m.width, m.height), "\n")
}

// viewRecording draws a recording, and below it what the scenario says to the reader, or the menu of commands.
func (m *Model) viewRecording() []string {
	at := m.moment()
	l, card := m.arranged(at)
	switch m.sheet(at) {
	case sheetMenu:
		return append(m.body(l, at), frame.Box(m.menuTitle(), m.menu(), card.Width, card.Height, m.theme.Note)...)
	case sheetConnection:
		title := m.theme.Title.Render("In another terminal")
		return append(m.body(l, at), frame.Box(title, m.connection(), card.Width, card.Height, m.theme.Note)...)
	case sheetCard:
		return append(m.body(l, at), pane.Draw(pane.Card{}, at, card, "")...)
	}
	return m.body(l, at)
}

// sheet is what stands below the panes of a recording.
type sheet int

// All that stands there: nothing, the menu of commands, how clients connect, or what the scenario says to the reader.
const (
	sheetNone sheet = iota
	sheetMenu
	sheetConnection
	sheetCard
)

func (m *Model) sheet(at pane.Moment) sheet {
	switch {
	case m.prompt.ask == askCommand:
		return sheetMenu
	case m.connecting && m.controls() && m.live.State.Writes == 0:
		return sheetConnection
	case pane.Missing(pane.Card{}, at) == "":
		return sheetCard
	}
	return sheetNone
}

// arranged is the layout with room for the sheet, and the canvas of that.
func (m *Model) arranged(at pane.Moment) (l views.Layout, card pane.Canvas) {
	l, card = m.layout(), pane.Canvas{Theme: m.theme, Width: m.width}
	switch m.sheet(at) {
	case sheetMenu:
		l, card.Height = l.WithCard(len(m.menu()) + 2)
	case sheetConnection:
		l, card.Height = l.WithCard(len(m.connection()) + 2)
	case sheetCard:
		l, card.Height = l.WithCard(pane.Card{}.Height(at, card))
	}
	return l, card
}

// placed is a pane with its place on the screen. tabs are the panes that tab switches between in its place.
type placed struct {
	pane.Pane
	rect views.Rect
	tabs []pane.Pane
}

// canvas is what the pane is drawn on.
func (p placed) canvas(m *Model) pane.Canvas {
	return pane.Canvas{Theme: m.theme, Width: p.rect.W, Height: p.rect.H}
}

// places says which panes are on the screen, and where.
func (m *Model) places(l views.Layout, at pane.Moment) (main, side, below placed) {
	if m.present {
		return placed{Pane: views.Presented(m.viewer.view).Main, rect: l.Main}, placed{}, placed{}
	}
	v := m.viewer
	main = placed{Pane: v.view.Main, rect: l.Main}
	around := v.view.At(l.Breakpoint, at)
	choose := func(panes []pane.Pane, rect views.Rect) placed {
		switch {
		case len(panes) == 0:
			return placed{}
		case len(panes) == 1 || !slices.Equal(panes, around.Tabs()):
			return placed{Pane: panes[0], rect: rect}
		}
		return placed{panes[min(v.tab, len(panes)-1)], rect, panes}
	}
	return main, choose(around.Beside, l.Beside), choose(around.Below, l.Below)
}

// body is the header and the panes of the view.
func (m *Model) body(l views.Layout, at pane.Moment) []string {
	main, side, below := m.places(l, at)
	lines := m.drawPane(main, at)
	if side.rect.H > 0 {
		lines = frame.Beside(lines, m.drawPane(side, at))
	}
	lines = append(m.header(l), lines...)
	if below.rect.H > 0 {
		lines = append(lines, m.drawPane(below, at)...)
	}
	return lines
}

func (m *Model) drawPane(p placed, at pane.Moment) []string {
	var names []string
	for _, tab := range p.tabs {
		name, _ := tab.Title(at, m.theme)
		names = append(names, name)
	}
	return pane.Draw(p.Pane, at, p.canvas(m), tabs(m.theme, names, slices.Index(p.tabs, p.Pane)))
}

// A screen explains syncs. Nearly all explanations take less than a millisecond, but one of a ReplicaSet with 5,000 Pods takes a second, in
// which no key would do anything. Such a one is computed beside the interface, one after the other, while the screen says so. Who moves on
// does not wait for it: what the screen lacks then is computed next.

// atOnce is how many objects a controller lists at most in a sync that is explained before the screen is drawn.
const atOnce = 500

// explainedMsg is the explanation of the sync that began with a record; nil if it is not explained.
type explainedMsg struct {
	of          *why.History
	start       int64
	explanation *arithmetic.Explanation
}

// deferLarge defers the explanations that take long, of a recording with so many objects.
func (m *Model) deferLarge(v *viewer) {
	if v.Rec.MostObjects() > m.options.AtOnce {
		v.Scenes.History.Defer(m.options.AtOnce)
	}
}

// explain computes an explanation that the screen lacks. Which one that is is known once the screen is drawn, so View returns what is drawn
// here.
func (m *Model) explain() tea.Cmd {
	if m.screen != screenViewer || m.explaining || !slices.ContainsFunc(m.histories(), (*why.History).Defers) {
		return nil
	}
	for _, of := range m.histories() {
		of.Lacking()
	}
	m.drawn = m.draw()
	for _, of := range m.histories() {
		lacking := of.Lacking()
		if len(lacking) == 0 {
			continue
		}
		start := lacking[0]
		if at := of.Recording().SyncOf(m.viewer.Seq); slices.Contains(lacking, at) {
			start = at
		}
		m.explaining = true
		return func() tea.Msg { return explainedMsg{of, start, explain.At(of.Recording(), start)} }
	}
	return nil
}

// histories are those of the run that is shown, and of the others, which may be shown beside it.
func (m *Model) histories() []*why.History {
	histories := []*why.History{m.viewer.Scenes.History}
	for _, n := range m.branches.nodes {
		if n.viewer != m.viewer {
			histories = append(histories, n.viewer.Scenes.History)
		}
	}
	return histories
}

// updateExplained takes an explanation.
func (m *Model) updateExplained(msg explainedMsg) {
	m.explaining = false
	msg.of.Explain(msg.start, msg.explanation)
}
