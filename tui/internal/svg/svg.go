// Package svg draws a screen of a terminal as a picture: text with ANSI escape sequences in, SVG out.
//
// Text keeps to its cells whatever font the reader has: each run of cells of one color is given its exact length. What
// must join across cells, blocks and borders, is drawn as shapes, because fonts leave gaps.
package svg

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/sim/trace/visible"
)

// Style is how a screen is drawn.
type Style struct {
	// Width is the number of columns.
	Width int
	Dark  bool
}

// The size of a cell, in pixels.
const cellWidth, cellHeight, fontSize, margin = 8.0, 17.0, 13.3, 12.0

// cell is one place of the screen.
type cell struct {
	text string
	pen  pen
}

// pen is how text is drawn.
type pen struct {
	color string
	bold  bool
}

// Render draws a screen.
func Render(screen string, style Style) string {
	lines := strings.Split(visible.Screen(screen), "\n")
	paper, ink := palette.Named("back", style.Dark), palette.Named("text", style.Dark)
	width, height := float64(style.Width)*cellWidth+2*margin, float64(len(lines))*cellHeight+2*margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s">`+"\n",
		number(width), number(height))
	// Browsers collapse spaces in a text element whatever the elements around it say.
	b.WriteString("<style>text{white-space:pre}</style>\n")
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", paper)
	fmt.Fprintf(&b, `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="%s" fill="%s">`+"\n",
		number(fontSize), ink)
	for row, line := range lines {
		drawLine(&b, cells(line), margin+float64(row)*cellHeight, ink)
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// cells splits a line.
func cells(line string) []cell {
	var out []cell
	var now pen
	var state byte
	for len(line) > 0 {
		sequence, width, n, next := ansi.DecodeSequence(line, state, nil)
		state, line = next, line[n:]
		switch {
		case width > 0:
			out = append(out, cell{sequence, now})
			for range width - 1 {
				out = append(out, cell{"", now})
			}
		case strings.HasPrefix(sequence, "\x1b[") && strings.HasSuffix(sequence, "m"):
			now = now.set(sequence[2 : len(sequence)-1])
		}
	}
	return out
}

// drawLine draws cells: shapes one by one, and the text between them in runs of one pen.
func drawLine(b *strings.Builder, line []cell, y float64, ink string) {
	for i := 0; i < len(line); {
		x := margin + float64(i)*cellWidth
		if shape := shapes[line[i].text]; shape != nil {
			n := 1
			for shape.joins && i+n < len(line) && line[i+n] == line[i] {
				n++
			}
			b.WriteString(shape.draw(x, y, float64(n)*cellWidth, line[i].pen.or(ink)))
			i += n
			continue
		}
		n := 0
		var text strings.Builder
		for i+n < len(line) && line[i+n].pen == line[i].pen && shapes[line[i+n].text] == nil {
			text.WriteString(line[i+n].text)
			n++
		}
		drawText(b, text.String(), line[i].pen, x, y)
		i += n
	}
}

// drawText draws a run of text, without the spaces around it.
func drawText(b *strings.Builder, text string, pen pen, x, y float64) {
	trimmed := strings.TrimLeft(text, " ")
	x += float64(ansi.StringWidth(text)-ansi.StringWidth(trimmed)) * cellWidth
	if trimmed = strings.TrimRight(trimmed, " "); trimmed == "" {
		return
	}
	fmt.Fprintf(b, `<text x="%s" y="%s" textLength="%s"`, number(x), number(y+cellHeight*0.75),
		number(float64(ansi.StringWidth(trimmed))*cellWidth))
	if pen.color != "" {
		fmt.Fprintf(b, ` fill="%s"`, pen.color)
	}
	if pen.bold {
		b.WriteString(` font-weight="bold"`)
	}
	b.WriteString(">" + escape.Replace(trimmed) + "</text>\n")
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// number prints a length without needless digits.
func number(f float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", f), "0"), ".")
}
