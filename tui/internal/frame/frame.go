// Package frame fits text into the cells of a terminal: lines of exactly one width, boxes of exactly one
// size. What every pane draws is a list of such lines, so that panes are put side by side by joining.
package frame

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/rivo/uniseg"
)

// Width is how many cells a text takes.
func Width(text string) int { return ansi.StringWidth(text) }

// Fit makes a line exactly width cells wide: cut at its end, or filled with spaces.
func Fit(line string, width int) string {
	if width <= 0 {
		return ""
	}
	n := ansi.StringWidth(line)
	if n > width {
		line = ansi.Truncate(line, width, "…")
		n = ansi.StringWidth(line)
	}
	return line + strings.Repeat(" ", width-n)
}

// Right is Fit with the spaces in front.
func Right(line string, width int) string {
	if n := ansi.StringWidth(line); n < width {
		return strings.Repeat(" ", width-n) + line
	}
	return Fit(line, width)
}

// Cut is the part of a line from one cell to another.
func Cut(line string, from, to int) string { return ansi.Cut(line, from, to) }

// OneLine has single spaces instead of all that parts words.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Marked stands before the lines of a list, of which one is selected.
func Marked(yes bool) string {
	if yes {
		return "▸ "
	}
	return "  "
}

// Middle cuts a plain text in its middle: the start and the end of generated names tell more.
func Middle(text string, width int) string {
	runes := []rune(text)
	if len(runes) <= width {
		return text
	}
	if width < 4 {
		return Fit(text, width)
	}
	tail := (width - 1) / 2
	return string(runes[:width-1-tail]) + "…" + string(runes[len(runes)-tail:])
}

// Ends puts one text at the left end of a line and one at the right; the left one gives way.
func Ends(left, right string, width int) string {
	n := ansi.StringWidth(right)
	if n >= width {
		return Fit(right, width)
	}
	if n == 0 {
		return Fit(left, width)
	}
	return Fit(left, width-n-1) + " " + right
}

// Wrap breaks a plain text into lines of at most width cells, between words where it can. The lines after
// the first begin with hang spaces.
//
// Wordwrap and Wrap of x/ansi always break after a hyphen, and the names of Kubernetes' objects are full of them: half
// of replicasets/web-5d9b4c on a line is not a name that can be looked for. They have no hanging indent either.
func Wrap(text string, width, hang int) []string {
	if width <= hang+4 {
		return []string{Fit(text, width)}
	}
	indent := text[:len(text)-len(strings.TrimLeft(text, " "))]
	var lines []string
	line, empty := indent, true
	flush := func() {
		lines = append(lines, line)
		line, empty = strings.Repeat(" ", hang), true
	}
	for _, next := range wordsOf(text) {
		word, space := next.text, next.space
		if !empty && Width(line)+len(space)+Width(word) > width {
			flush()
		}
		if !empty {
			line += space
		}
		for Width(line)+Width(word) > width {
			room := width - Width(line)
			line += ansi.Truncate(word, room, "")
			word = ansi.TruncateLeft(word, room, "")
			flush()
		}
		line, empty = line+word, false
	}
	flush()
	return lines
}

// word is a part of a text that stays on one line, with the space before it, if there is one.
type word struct{ text, space string }

// wordsOf are the parts between which a line may end: those between spaces, and in a script without spaces, such as Chinese, what Unicode's
// algorithm for line breaks leaves together: a character and the punctuation behind it.
func wordsOf(text string) (words []word) {
	for _, field := range strings.Fields(text) {
		if Width(field) == utf8.RuneCountInString(field) {
			words = append(words, word{field, " "})
			continue
		}
		for space, rest, state := " ", field, -1; rest != ""; space = "" {
			var part string
			part, rest, _, state = uniseg.FirstLineSegmentInString(rest, state)
			words = append(words, word{part, space})
		}
	}
	return words
}

// Brief is Wrap into at most so many lines: the last one has all the rest, and is cut at its end.
func Brief(text string, width, most int) []string {
	lines := Wrap(text, width, 0)
	if len(lines) > most && most > 0 {
		lines = append(lines[:most-1:most-1], Fit(strings.Join(lines[most-1:], " "), width))
	}
	return lines
}

// Paragraphs wraps a text whose paragraphs are parted by empty lines. Lines that begin with spaces or a
// dash are lists and code, and stay lines.
func Paragraphs(text string, width int) []string {
	var lines []string
	var paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			lines = append(lines, Wrap(strings.Join(paragraph, " "), width, 0)...)
			paragraph = nil
		}
	}
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		switch {
		case strings.TrimSpace(line) == "":
			flush()
			lines = append(lines, "")
		case strings.HasPrefix(line, " "), strings.HasPrefix(line, "- "):
			flush()
			lines = append(lines, Wrap(line, width, 2)...)
		default:
			paragraph = append(paragraph, line)
		}
	}
	flush()
	return lines
}

// Block makes exactly height lines of exactly width cells.
func Block(lines []string, width, height int) []string {
	out := make([]string, 0, max(height, 0))
	for i := range max(height, 0) {
		line := ""
		if i < len(lines) {
			line = lines[i]
		}
		out = append(out, Fit(line, width))
	}
	return out
}

var rounded = lipgloss.RoundedBorder()

// Box draws a border with a title around lines. Its size is that of the whole box.
//
// The border of a lipgloss.Style has no title, and such a style wraps lines that are too long, where a screen of
// records needs them cut. It takes 0.34 ms for a box of 104 x 50 cells, and this 0.08 ms.
func Box(title string, lines []string, width, height int, border lipgloss.Style) []string {
	if width < 4 || height < 2 {
		return Block(lines, width, height)
	}
	title = ansi.Truncate(title, width-6, "…")
	top := border.Render(rounded.TopLeft+" ") + title + " " +
		border.Render(strings.Repeat(rounded.Top, max(width-4-ansi.StringWidth(title), 0))+rounded.TopRight)
	out := append(make([]string, 0, height), top)
	left, right := border.Render(rounded.Left), border.Render(rounded.Right)
	for _, line := range Block(lines, width-4, height-2) {
		out = append(out, left+" "+line+" "+right)
	}
	return append(out, border.Render(rounded.BottomLeft+strings.Repeat(rounded.Bottom, width-2)+rounded.BottomRight))
}

// Beside joins blocks of the same height, whose lines have all their cells already. lipgloss.JoinHorizontal measures
// and pads each line again: 0.10 ms for 160 x 50 cells, where this takes 0.004 ms at every frame.
func Beside(blocks ...[]string) []string {
	var out []string
	for _, block := range blocks {
		for i, line := range block {
			if i == len(out) {
				out = append(out, "")
			}
			out[i] += line
		}
	}
	return out
}
