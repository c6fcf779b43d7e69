package tui

import (
	"strings"

	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/theme"
	"github.com/kubestep/kubestep/tui/internal/views"
)

// tabs are names beside each other, which may begin with a key. The selected one is in brackets; all keep their places when another one
// is selected.
func tabs(t *theme.Theme, names []string, selected int) string {
	var b strings.Builder
	for i, name := range names {
		if i == selected {
			b.WriteString(t.Title.Render("[" + name + "]"))
		} else {
			text := t.Dim.Render(name)
			if key, rest, ok := strings.Cut(name, " "); ok {
				text = t.Key.Render(key) + " " + t.Dim.Render(rest)
			}
			b.WriteString(" " + text + " ")
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// tabAt is the index of the tab at a cell of tabs, -1 for none.
func tabAt(names []string, cell int) int {
	for i, name := range names {
		if cell -= frame.Width(name) + 2; cell < 0 {
			return i
		}
	}
	return -1
}

// viewNames are the views of the table with their keys, and the index of that which is shown.
func (m *Model) viewNames() (names []string, shown int) {
	for i, v := range views.All {
		names = append(names, v.Key+" "+v.Name)
		if v == m.viewer.view {
			shown = i
		}
	}
	return names, shown
}

// clickTab switches to the view or to the panel whose tab is at a cell. ok reports whether there is one.
func (m *Model) clickTab(x, y int, places ...placed) (ok bool) {
	if footer := m.layout().Footer; footer.H > 1 && y == footer.Y {
		names, _ := m.viewNames()
		i := tabAt(names, x-1)
		if x < 1 || i < 0 {
			return false
		}
		if m.keys.Views[i].Enabled() {
			m.viewer.open(views.All[i])
		}
		return true
	}
	for _, p := range places {
		var names []string
		for _, tab := range p.tabs {
			name, _ := tab.Title(m.moment(), m.theme)
			names = append(names, name)
		}
		if i := tabAt(names, x-p.rect.X-2); y == p.rect.Y && x >= p.rect.X+2 && i >= 0 {
			m.viewer.tab, m.viewer.Scroll = i, 0
			return true
		}
	}
	return false
}
