package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/keymap"
	"github.com/kubestep/kubestep/tui/internal/pane"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// help lists the keys that do something now, and what the glyphs mean.
type help struct {
	open bool
	text viewport.Model
}

func newHelp() help {
	all := keymap.New()
	text := viewport.New(0, 0)
	text.KeyMap = viewport.KeyMap{Up: all.Up, Down: all.Down, PageUp: all.ScrollUp, PageDown: all.ScrollDown}
	return help{true, text}
}

// key scrolls the help; any other key leaves it.
func (h *help) key(msg tea.KeyMsg) {
	scroll := h.text.KeyMap
	if !key.Matches(msg, scroll.Up, scroll.Down, scroll.PageUp, scroll.PageDown) {
		*h = help{}
		return
	}
	h.text, _ = h.text.Update(msg)
}

// view draws the help.
func (h *help) view(t *theme.Theme, width, height int) []string {
	title := t.Title.Render("Help") + t.Dim.Render("  the keys that work now")
	if h.text.TotalLineCount() > h.text.Height {
		title += t.Dim.Render("; ↓ ↑ scroll")
	}
	return frame.Box(title, strings.Split(h.text.View(), "\n"), width, height, t.Dim)
}

// The cells of a help that are not its text, and the width from which on it has two columns.
const helpBorder, helpLines, twoColumns = 4, 3, 96

// fit puts the text of the help, which is made of blocks, into as many columns as there is room for.
func (h *help) fit(blocks [][]string, width, height int) {
	h.text.Width, h.text.Height = width-helpBorder, height-helpLines
	lines := slices.Concat(blocks...)
	if h.text.Width >= twoColumns {
		lines = columns(blocks, h.text.Width)
	}
	h.text.SetContent(strings.Join(frame.Block(lines, h.text.Width, len(lines)), "\n"))
}

// columns puts blocks into two columns of about the same height.
func columns(blocks [][]string, width int) []string {
	total, height, n := len(slices.Concat(blocks...)), 0, 0
	for n < len(blocks) && height < (total+1)/2 {
		height += len(blocks[n])
		n++
	}
	height = max(height, total-height)
	return frame.Beside(
		frame.Block(slices.Concat(blocks[:n]...), width/2, height),
		frame.Block(slices.Concat(blocks[n:]...), width-width/2, height))
}

const keyColumn = 10

// helpBlocks are the parts of the help, each with a heading and an empty line below it: the keys that do something
// now and, where a recording is shown, what can be typed and what the glyphs mean.
func helpBlocks(t *theme.Theme, k *keymap.KeyMap, recording bool) [][]string {
	keys := helpOf(t)
	var blocks [][]string
	add := func(title, text string) {
		block := []string{t.Title.Render(title)}
		for line := range strings.SplitSeq(text, "\n") {
			block = append(block, "  "+strings.TrimRight(line, " "))
		}
		blocks = append(blocks, append(block, ""))
	}
	for _, group := range k.Groups() {
		var enabled []key.Binding
		for _, k := range group.Keys {
			if k.Enabled() {
				enabled = append(enabled, *k)
			}
		}
		if len(enabled) > 0 {
			add(group.Title, keys.FullHelpView([][]key.Binding{enabled}))
		}
	}
	if !recording {
		return blocks
	}
	add("Filters and positions", table(keymap.Typed, 25))
	for _, legend := range pane.Legends() {
		add(legend.Title, table(legend.Glyphs, 4))
	}
	return blocks
}

// table puts pairs below each other.
func table(pairs [][2]string, width int) string {
	lines := make([]string, len(pairs))
	for i, pair := range pairs {
		lines[i] = frame.Fit(pair[0], width) + pair[1]
	}
	return strings.Join(lines, "\n")
}
