// Package frame fits text into the cells of a terminal: lines of exactly one width, boxes of exactly one
// size. What every pane draws is a list of such lines, so that panes are put side by side by joining.
package frame

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
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
	for _, word := range strings.Fields(text) {
		if !empty && Width(line)+1+Width(word) > width {
			flush()
		}
		if !empty {
			line += " "
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

// Box draws a border with a title around lines. Its size is that of the whole box.
func Box(title string, lines []string, width, height int, border lipgloss.Style) []string {
	if width < 4 || height < 2 {
		return Block(lines, width, height)
	}
	title = ansi.Truncate(title, width-6, "…")
	top := border.Render("╭ ") + title + " " +
		border.Render(strings.Repeat("─", max(width-4-ansi.StringWidth(title), 0))+"╮")
	out := append(make([]string, 0, height), top)
	side := border.Render("│")
	for _, line := range Block(lines, width-4, height-2) {
		out = append(out, side+" "+line+" "+side)
	}
	return append(out, border.Render("╰"+strings.Repeat("─", width-2)+"╯"))
}

// Beside joins blocks of the same height.
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
