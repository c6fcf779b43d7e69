// Package columns draws the stage: the cluster as things, in three columns. Programs are at the left, the objects in the store with their
// owners in the middle, and nodes with their Pods at the right. Who acts and what is written is lit, and an arrow says what travels.
//
//	╭ Programs ───────────╮╭ API server and store ─────────╮╭ Nodes ──────────╮
//	│ deployment-controller││       ╭ Deployment web ─╮     ││ node-1          │
//	│ ── update ──▶        ││       ╰────────┬────────╯     ││ v1·1 ●  v2·1 ·  │
//
// Below stand the bounds of a rollout, and the sentence of the record. Where there is less room, the store and the sentence stay, the
// program that acts has one line, and so has each node.
package columns

import (
	"slices"

	"github.com/kubestep/kubestep/scenarios/explore/branch/touch"
	"github.com/kubestep/kubestep/scenarios/reading/stage"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/pane"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// Stage is the pane of the stage.
type Stage struct{}

// Title implements pane.Pane: its columns have borders of their own.
func (Stage) Title(pane.Moment, *theme.Theme) (name, detail string) { return "", "" }

// The least size with which the columns are beside each other.
const wideStage, tallStage = 100, 20

// Render implements pane.Pane.
func (Stage) Render(m pane.Moment, c pane.Canvas) []string {
	return (&drawing{Moment: m, Canvas: c, Stage: m.Cast().At(m.Beat())}).lines()
}

// lines are those of the whole stage.
func (d *drawing) lines() []string {
	c := d.Canvas
	if c.Width < wideStage || c.Height < tallStage {
		return d.narrow()
	}
	below := d.below()
	height := c.Height - len(below)
	widths := d.widths()
	programs := d.boxed("Programs", widths[0], height, d.programs)
	store := d.boxed("API server and store", widths[1], height, d.store)
	columns := frame.Beside(programs, store)
	if widths[2] > 0 {
		columns = frame.Beside(columns, d.boxed("Nodes", widths[2], height, d.nodes))
	}
	return append(columns, below...)
}

// drawing is a stage that is being drawn.
type drawing struct {
	pane.Moment
	pane.Canvas
	*stage.Stage
	// marks are the things that are drawn, where it is to be found what is at a cell; nil otherwise.
	marks *[]touch.Thing
}

// widths are those of the columns, together the whole width. Without nodes there is no third one.
func (d *drawing) widths() [3]int {
	left := d.Width * 28 / 100
	right := d.Width * 30 / 100
	if len(d.Nodes) == 0 {
		right = 0
	}
	return [3]int{left, d.Width - left - right, right}
}

// boxed draws a column with a border.
func (d *drawing) boxed(title string, width, height int, of func(pane.Canvas) []string) []string {
	c := pane.Canvas{Theme: d.Theme, Width: width, Height: height}.Inside()
	return frame.Box(d.Theme.Title.Render(title), cut(of(c), c, d.Theme), width, height, d.Theme.Dim)
}

// cut leaves out what has no room, and says so.
func cut(lines []string, c pane.Canvas, t *theme.Theme) []string {
	if len(lines) <= c.Height || c.Height < 1 {
		return lines
	}
	return append(slices.Clone(lines[:c.Height-1]), t.Dim.Render("…"))
}

// below are the bounds of a rollout and the sentence, each with one cell free at both sides.
func (d *drawing) below() []string {
	inner := d.Canvas
	inner.Width -= 2
	lines := d.attempt(inner.Width, attemptLines)
	if lines == nil {
		lines = pane.Bars(d.Moment, inner)
	}
	if chosen := d.chosen(inner.Width); chosen != "" {
		lines = append(lines, chosen)
	}
	for _, line := range d.sentence(inner.Width) {
		lines = append(lines, frame.Fit(line, inner.Width))
	}
	for i := range lines {
		lines[i] = " " + frame.Fit(lines[i], inner.Width) + " "
	}
	return lines
}

// attemptLines is how many lines an attempt of kube-scheduler may have.
const attemptLines = 8

// sentenceLines is how many lines the facts behind the sentence may have.
const sentenceLines = 2

// sentence is the record in a sentence, and the facts behind it. A note or a question is on a card of its own.
func (d *drawing) sentence(width int) []string {
	if d.Caption.Text == "" {
		return []string{"", ""}
	}
	lines := []string{d.Theme.Title.Render(frame.Fit(d.Caption.Text, width))}
	for _, line := range frame.Brief(d.Caption.Why, width, sentenceLines) {
		lines = append(lines, d.Theme.Dim.Render(line))
	}
	for len(lines) <= sentenceLines {
		lines = append(lines, "")
	}
	return lines
}

// narrow is the stage without columns.
func (d *drawing) narrow() []string {
	inner := pane.Canvas{Theme: d.Theme, Width: d.Width, Height: d.Height}.Inside()
	var below []string
	if d.Caption.Text != "" {
		below = []string{
			d.Theme.Title.Render(frame.Fit(d.Caption.Text, inner.Width)), d.Theme.Dim.Render(frame.Fit(d.Caption.Why, inner.Width)),
		}
	}
	if table := d.attempt(inner.Width, inner.Height/3); table != nil {
		below = append(table, below...)
	} else if bars := pane.Bars(d.Moment, inner); len(bars) < inner.Height/2 {
		below = append(bars, below...)
	}
	if chosen := d.chosen(inner.Width); chosen != "" {
		below = append([]string{chosen}, below...)
	}
	lines := d.acting(inner.Width)
	room := inner.Height - len(lines) - len(below)
	nodes := d.seats(inner.Width)
	store := d.outline(inner.Width)
	if len(store) > max(room-len(nodes), room/2) {
		nodes = nodes[:min(len(nodes), max(room-len(store), 0))]
		store = cut(store, pane.Canvas{Height: room - len(nodes)}, d.Theme)
	}
	lines = append(append(lines, store...), make([]string, max(room-len(store)-len(nodes), 0))...)
	lines = append(append(lines, nodes...), below...)
	return frame.Box(d.Theme.Title.Render("Stage"), lines, d.Width, d.Height, d.Theme.Dim)
}
