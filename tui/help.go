package tui

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/tui/frame"
	"github.com/kubestep/kubestep/tui/pane"
)

// helpKey scrolls the help; any other key leaves it.
func (m *Model) helpKey(msg tea.KeyMsg) {
	all := NewKeyMap()
	most := max(len(m.helpLines())-m.helpHeight(), 0)
	switch {
	case key.Matches(msg, all.Down):
		m.helpScroll++
	case key.Matches(msg, all.Up):
		m.helpScroll = max(m.helpScroll-1, 0)
	case key.Matches(msg, all.ScrollDown):
		m.helpScroll += 10
	case key.Matches(msg, all.ScrollUp):
		m.helpScroll = max(m.helpScroll-10, 0)
	default:
		m.help, m.helpScroll = false, 0
	}
	m.helpScroll = min(m.helpScroll, most)
}

func (m *Model) helpHeight() int { return m.height - 3 }

// viewHelp lists the keys that do something now, and what the glyphs mean.
func (m *Model) viewHelp() []string {
	lines := m.helpLines()
	title := m.theme.Title.Render("Help") + m.theme.Dim.Render("  the keys that do something now")
	if len(lines) > m.helpHeight() {
		title += m.theme.Dim.Render("; ↓ ↑ scroll")
	}
	return frame.Box(title, lines[min(m.helpScroll, len(lines)):], m.width, m.height-1, m.theme.Dim)
}

// helpLines is the whole help, in two columns where there is room.
func (m *Model) helpLines() []string {
	width := m.width - 4
	blocks := m.helpBlocks()
	if width < 96 {
		return slices.Concat(blocks...)
	}
	half := width / 2
	left, right := split(blocks)
	n := max(len(left), len(right))
	return frame.Beside(frame.Block(left, half, n), frame.Block(right, width-half, n))
}

// split puts blocks into two columns of about the same height.
func split(blocks [][]string) (left, right []string) {
	total := 0
	for _, b := range blocks {
		total += len(b)
	}
	for _, b := range blocks {
		if len(right) == 0 && len(left) < (total+1)/2 {
			left = append(left, b...)
		} else {
			right = append(right, b...)
		}
	}
	return left, right
}

const keyColumn = 11

func (m *Model) helpBlocks() [][]string {
	t := m.theme
	var blocks [][]string
	for _, group := range m.keys.Groups() {
		lines := []string{t.Title.Render(group.Title)}
		for _, k := range group.Keys {
			if k.Enabled() {
				lines = append(lines, "  "+t.Key.Render(frame.Fit(k.Help().Key, keyColumn))+k.Help().Desc)
			}
		}
		if len(lines) > 1 {
			blocks = append(blocks, append(lines, ""))
		}
	}
	if m.screen == screenViewer {
		blocks = append(blocks, m.helpFilter())
		for _, legend := range pane.Legends() {
			lines := []string{t.Title.Render(legend.Title)}
			for _, g := range legend.Glyphs {
				lines = append(lines, "  "+frame.Fit(g[0], 4)+g[1])
			}
			blocks = append(blocks, append(lines, ""))
		}
	}
	return blocks
}

// helpFilter explains what can be typed behind / and g.
func (m *Model) helpFilter() []string {
	lines := []string{m.theme.Title.Render("Filters and places")}
	for _, typed := range typedHelp {
		lines = append(lines, "  "+frame.Fit(typed[0], 25)+typed[1])
	}
	return append(lines, "")
}

// typedHelp is what can be typed, and what it means.
var typedHelp = [][2]string{
	{"/scale web", "lines with both words"},
	{"/actor:job", "the actor's name has job in it"},
	{"/verb:delete !pods", "deletes of anything but Pods"},
	{"/object:web-1", "records about an object"},
	{"/kind:event", "records of one kind"},
	{"g 12.4s", "a time"},
	{"g 412", "a record"},
	{"g step:3", "a step of the scenario"},
	{":scale deployment/web 5", "a branch in which that happens here"},
	{":save branch.yaml", "the scenario of the branch, as a file"},
}
