// Package pane implements the parts of the screen. A pane has no state: it receives a Moment, which is the reader's
// position in a recording, and a Canvas, which is the available space, and returns lines. The same Moment always draws
// the same lines, so that a pane can be drawn twice side by side, at two positions, and tested without a terminal.
//
// Other interfaces add to drawing: a Lister has lines that the arrow keys select, a Clicker and a Pointer map positions
// of the mouse, and a Conditional is not available in every recording.
package pane

import (
	"fmt"

	"github.com/charmbracelet/lipgloss"

	"github.com/kubestep/kubestep/scenarios/explore/branch/touch"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// Pane is a part of the screen.
type Pane interface {
	// Title is the text in the border: a name, and styled details behind it. Where tab switches between panes,
	// the tabs take the place of the name. A pane without a name has no border.
	Title(m Moment, t *theme.Theme) (name, detail string)
	// Render returns the lines of the pane, each at most as wide as the canvas. Draw scrolls those that do not fit.
	Render(m Moment, c Canvas) []string
}

// Lister is a pane with a selection. Select moves it by some lines and returns the moment after that; by 0 lines
// it finds the line that is selected to begin with.
type Lister interface {
	Pane
	Select(m Moment, by int) Moment
}

// Clicker is a pane whose lines can be clicked. Click returns the moment after a click on a line of Render.
type Clicker interface {
	Pane
	Click(m Moment, c Canvas, line int) Moment
}

// Pointer is a pane without a border, in which a click selects the thing at a cell. ok is false if there is none.
type Pointer interface {
	Pane
	Point(m Moment, c Canvas, x, y int) (after Moment, ok bool)
}

// Opener is a pane that selects something when it is shown.
type Opener interface {
	Pane
	Open(m Moment) Moment
}

// Chooser is a pane in which enter chooses what is selected. Choose returns the moment after that; ok reports whether
// there is something to choose.
type Chooser interface {
	Lister
	Choose(m Moment) (after Moment, ok bool)
}

// Toucher is a pane in which enter offers what may be done to what is selected. ok is false if nothing is.
type Toucher interface {
	Lister
	Touch(m Moment) (thing touch.Thing, ok bool)
}

// Conditional is a pane that has nothing to show in some recordings. Missing says why it has not; it is empty if
// the pane can be shown.
type Conditional interface {
	Pane
	Missing(m Moment) string
}

// Bordered is a pane whose border is not dim.
type Bordered interface {
	Pane
	Border(t *theme.Theme) lipgloss.Style
}

// Missing says why a pane has nothing to show, or nothing.
func Missing(p Pane, m Moment) string {
	if c, ok := p.(Conditional); ok {
		return c.Missing(m)
	}
	return ""
}

// Canvas is what a pane draws on: so many cells, in these styles.
type Canvas struct {
	Theme         *theme.Theme
	Width, Height int
}

// borderWidth and borderHeight are the cells that a border and its padding take from a canvas.
const borderWidth, borderHeight = 4, 2

// Inside is the canvas inside of a border.
func (c Canvas) Inside() Canvas {
	c.Width, c.Height = c.Width-borderWidth, c.Height-borderHeight
	return c
}

// Draw draws a pane with its border and returns exactly the lines of the canvas. tabs takes the place of its name
// if it is not empty.
func Draw(p Pane, m Moment, c Canvas, tabs string) []string {
	name, detail := p.Title(m, c.Theme)
	if name == "" {
		return frame.Block(p.Render(m, c), c.Width, c.Height)
	}
	if tabs == "" {
		tabs = c.Theme.Title.Render(name)
	}
	inside := c.Inside()
	lines := inside.scrolled(p.Render(m, inside), m.Scroll)
	border := c.Theme.Dim
	if b, ok := p.(Bordered); ok {
		border = b.Border(c.Theme)
	}
	return frame.Box(tabs+detail, lines, c.Width, c.Height, border)
}

// scrolled leaves out lines at the top, but none while there is room, and says how many more there are below.
// It does what bubbles' viewport does without its state: a viewport keeps the lines, which here are new at
// every record, and pads and measures each of them again, which Box does anyway.
func (c Canvas) scrolled(lines []string, scroll int) []string {
	lines = lines[min(scroll, max(len(lines)-c.Height, 0)):]
	if more := len(lines) - c.Height; more > 0 && c.Height > 1 {
		lines = append(lines[:c.Height-1:c.Height-1], c.Theme.Dim.Render(fmt.Sprintf("… %d more lines: pgdn", more+1)))
	}
	return lines
}

// drawing is a moment on a canvas; what a pane is drawn with are methods of a type that embeds it.
type drawing struct {
	Moment
	Canvas
}
