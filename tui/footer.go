package tui

import (
	bubbleshelp "github.com/charmbracelet/bubbles/help"
	"github.com/charmbracelet/bubbles/key"

	"github.com/kubestep/kubestep/sim/trace/visible"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/terms"
	"github.com/kubestep/kubestep/tui/internal/theme"
	"github.com/kubestep/kubestep/tui/internal/views"
)

// liveHints are what keys do in a session that runs, where that is something else.
var liveHints = map[string]string{"play": "run, pause", "what if": "commands"}

// footer says which keys do something now, or what the last one came to, and above that where there is room which views there are.
// What is too long for one line takes both.
func (m *Model) footer() []string {
	if m.screen != screenViewer || m.layout().Footer.H < 2 || m.help.open || m.terms.Open {
		return []string{m.lastLine()}
	}
	if status := visible.Line(m.status); m.prompt.ask == nil && frame.Width(status) > m.width-len(" ? help ") {
		lines := frame.Block(frame.Wrap(status, m.width-1, 0), m.width-1, 2)
		return []string{" " + m.theme.Note.Render(lines[0]), " " + m.theme.Note.Render(lines[1])}
	}
	names, shown := m.viewNames()
	return []string{frame.Fit(" "+tabs(m.theme, names, shown), m.width), m.lastLine()}
}

// lastLine is the footer without the views.
func (m *Model) lastLine() string {
	t, status := m.theme, visible.Line(m.status)
	if m.prompt.ask != nil {
		return frame.Fit(m.prompt.input.View(), m.width)
	}
	if m.terms.Open {
		return frame.Fit(" "+terms.Hint, m.width)
	}
	if m.help.open {
		return frame.Fit(" any other key closes the help", m.width)
	}
	if m.present && m.screen == screenViewer {
		return frame.Ends(" "+t.Note.Render(status), t.Dim.Render("P ends the presentation "), m.width)
	}
	right := keyHint(m.theme, "?", "help") + "  " + keyHint(m.theme, "q", "quit") + " "
	if m.screen == screenViewer && m.breakpoint() < views.Wide {
		right = keyHint(t, views.All[0].Key+"-"+views.All[len(views.All)-1].Key, "views") + "  " + right
	}
	room := m.width - frame.Width(right) - 1
	if frame.Width(status) > room {
		right = keyHint(m.theme, "?", "help") + " "
	}
	left := t.Note.Render(status)
	if status == "" {
		left = m.shortHelp(room - 1)
	}
	return frame.Ends(" "+left, right, m.width)
}

// shortHelp are the keys that are most useful now, as many as there is room for.
func (m *Model) shortHelp(width int) string {
	if m.screen == screenViewer && m.viewer.Question() != nil {
		return keyHint(m.theme, "↑ ↓", "choose") + "  " + keyHint(m.theme, "enter", "answer") + "  " + keyHint(m.theme, "esc", "skip")
	}
	short := helpOf(m.theme)
	short.Width = width
	var bindings []key.Binding
	for _, h := range m.keys.Hints() {
		if text, ok := liveHints[h.Short]; ok && m.steers() {
			h.Short = text
		}
		bindings = append(bindings, h.Binding())
	}
	// ShortHelpView adds one key too many where the others fill the line to its end.
	text := short.ShortHelpView(bindings)
	for frame.Width(text) > width && len(bindings) > 0 {
		bindings = bindings[:len(bindings)-1]
		text = short.ShortHelpView(bindings)
	}
	return text
}

// helpOf draws keys in the styles of a theme.
func helpOf(t *theme.Theme) bubbleshelp.Model {
	h := bubbleshelp.New()
	h.ShortSeparator, h.Ellipsis = "  ", ""
	h.Styles = bubbleshelp.Styles{
		ShortKey: t.Key, ShortDesc: t.Dim, FullKey: t.Key.Width(keyColumn),
	}
	return h
}

// keyHint is a key with what it does.
func keyHint(t *theme.Theme, key, about string) string {
	return t.Key.Render(key) + " " + t.Dim.Render(about)
}
