// Package picker offers scenarios: a list in which one is selected, a filter, and a preview of the selected one. It does not run them.
package picker

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// Picker is a list of scenarios with a selection.
type Picker struct {
	all, shown []Entry
	cursor     int
	filter     string
}

// New returns a picker that shows all entries.
func New(entries []Entry) Picker { return Picker{all: entries, shown: entries} }

// Len is how many entries the list shows.
func (p *Picker) Len() int { return len(p.shown) }

// Filter is the text of the filter.
func (p *Picker) Filter() string { return p.filter }

// SetFilter shows only the entries that contain all words. The selected one stays so if it is among them.
func (p *Picker) SetFilter(text string) {
	selected := p.Selected()
	p.filter, p.shown, p.cursor = text, nil, 0
	words := strings.Fields(strings.ToLower(text))
	for _, e := range p.all {
		if !e.matches(words) {
			continue
		}
		if selected != nil && e.File == selected.File {
			p.cursor = len(p.shown)
		}
		p.shown = append(p.shown, e)
	}
}

// Selected is the selected entry, nil if none is shown.
func (p *Picker) Selected() *Entry {
	if p.cursor >= len(p.shown) {
		return nil
	}
	return &p.shown[p.cursor]
}

// Move selects an entry some lines further.
func (p *Picker) Move(by int) {
	p.cursor = min(max(p.cursor+by, 0), max(len(p.shown)-1, 0))
}

// row is a line of the list: a heading, or the entry at an index.
type row struct {
	heading string
	entry   int
}

func (p *Picker) rows() []row {
	var rows []row
	last := ""
	for i := range p.shown {
		if heading := p.shown[i].heading(); heading != last {
			if len(rows) > 0 {
				rows = append(rows, row{entry: -1})
			}
			rows = append(rows, row{heading, -1})
			last = heading
		}
		rows = append(rows, row{entry: i})
	}
	return rows
}

// window is the part of the rows that is shown in height lines.
func (p *Picker) window(height int) []row {
	rows := p.rows()
	at := slices.IndexFunc(rows, func(r row) bool { return r.entry == p.cursor })
	from, to := frame.Window(len(rows), at, height)
	return rows[from:to]
}

// numberWidth is that of the numbers of lessons, with a space: 1.12.
const numberWidth = 5

// nameWidth is the most cells of the names; the titles have the rest.
const nameWidth = 24

// list draws the scenarios.
func (p *Picker) list(t *theme.Theme, width, height int) []string {
	title := t.Title.Render("Scenarios")
	if p.filter != "" {
		title += t.Note.Render(" /" + p.filter)
	}
	title += t.Dim.Render(fmt.Sprintf("  %d of %d", len(p.shown), len(p.all)))
	names := 0
	for i := range p.shown {
		names = max(names, min(frame.Width(p.shown[i].Name), nameWidth))
	}
	var lines []string
	for _, r := range p.window(height - 2) {
		switch {
		case r.entry >= 0:
			e := &p.shown[r.entry]
			name := frame.Fit(frame.Middle(e.Name, names), names+1)
			if e.Number != "" {
				name = frame.Fit(e.Number, numberWidth) + name
			}
			if r.entry == p.cursor {
				lines = append(lines, t.Now.Render(frame.Fit("▸ "+name+e.Title, width-4)))
			} else {
				lines = append(lines, "  "+t.Key.Render(name)+e.Title)
			}
		default:
			lines = append(lines, t.Title.Render(r.heading))
		}
	}
	if len(p.shown) == 0 {
		lines = []string{"no scenario contains all these words: esc shows all"}
	}
	return frame.Box(title, lines, width, height, t.Dim)
}

// preview tells what the selected scenario is about.
func (p *Picker) preview(t *theme.Theme, width, height int) []string {
	e := p.Selected()
	if e == nil {
		return frame.Box("", nil, width, height, t.Dim)
	}
	inner := width - 4
	var lines []string
	for _, line := range frame.Wrap(e.Title, inner, 0) {
		lines = append(lines, t.Title.Render(line))
	}
	lines = append(lines, "")
	lines = append(lines, frame.Paragraphs(e.About, inner)...)
	steps := []string{"", t.Title.Render("Steps")}
	for _, step := range e.Steps {
		steps = append(steps, frame.Fit(step, inner))
	}
	if len(e.Checks) > 0 {
		steps = append(steps, "", t.Title.Render("Checks"))
		for _, check := range e.Checks {
			steps = append(steps, frame.Fit(check, inner))
		}
	}
	// The steps are shown as far as there is room; a heading without lines says nothing.
	if room := height - 2 - len(lines); room >= 4 {
		lines = append(lines, steps[:min(len(steps), room)]...)
	}
	return frame.Box(t.Title.Render(e.Name)+t.Dim.Render("  "+joined(e.Number, e.Topic, e.Level)), lines, width, height, t.Dim)
}

// joined puts dots between the words that there are.
func joined(words ...string) string {
	var some []string
	for _, word := range words {
		if word != "" {
			some = append(some, word)
		}
	}
	return strings.Join(some, " · ")
}

// twoColumns is the width from which on the preview is beside the list.
const twoColumns = 100

// size is that of the list in a picker of some size.
func size(width, height int) (w, h int) {
	height--
	if width >= twoColumns {
		return width * 11 / 20, height
	}
	return width, height - max(height*2/5, 7)
}

// Click selects the scenario at a cell of a picker of some size. selected reports whether it was selected before.
func (p *Picker) Click(x, y, width, height int) (selected bool) {
	w, h := size(width, height)
	// The list begins below the line of the title and its border.
	rows := p.window(h - 2)
	i := y - 2
	if x >= w || i < 0 || i >= len(rows) || rows[i].entry < 0 {
		return false
	}
	selected = rows[i].entry == p.cursor
	p.cursor = rows[i].entry
	return selected
}

// View draws the picker.
func (p *Picker) View(t *theme.Theme, width, height int) []string {
	head := []string{frame.Ends(
		" "+t.Title.Render("kubestep")+t.Dim.Render("  the real controllers of Kubernetes, step by step"),
		t.Dim.Render("virtual time, no cluster "), width)}
	w, h := size(width, height)
	if w < width {
		return append(head, frame.Beside(p.list(t, w, h), p.preview(t, width-w, h))...)
	}
	head = append(head, p.list(t, w, h)...)
	return append(head, p.preview(t, width, height-1-h)...)
}
