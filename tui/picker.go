package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/tui/frame"
	"github.com/kubestep/kubestep/tui/theme"
)

// picker offers scenarios.
type picker struct {
	all, shown []Entry
	cursor     int
	filter     string
}

func newPicker(entries []Entry) picker { return picker{all: entries, shown: entries} }

// setFilter shows only the entries that contain all words. The selected one stays so if it is among them.
func (p *picker) setFilter(text string) {
	selected := p.selected()
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

func (p *picker) selected() *Entry {
	if p.cursor >= len(p.shown) {
		return nil
	}
	return &p.shown[p.cursor]
}

func (p *picker) move(by int) {
	p.cursor = min(max(p.cursor+by, 0), max(len(p.shown)-1, 0))
}

// pickerKey chooses a scenario.
func (m *Model) pickerKey(msg tea.KeyMsg) tea.Cmd {
	p, k := &m.picker, &m.keys
	switch {
	case key.Matches(msg, k.Up):
		p.move(-1)
	case key.Matches(msg, k.Down):
		p.move(1)
	case key.Matches(msg, k.ScrollUp):
		p.move(-10)
	case key.Matches(msg, k.ScrollDown):
		p.move(10)
	case key.Matches(msg, k.Start):
		p.move(-len(p.shown))
	case key.Matches(msg, k.End):
		p.move(len(p.shown))
	case key.Matches(msg, k.Filter):
		m.askFor(askScenario, p.filter)
	case key.Matches(msg, k.Escape):
		p.setFilter("")
	case key.Matches(msg, k.Open):
		return m.open()
	}
	return nil
}

// open runs the selected scenario.
func (m *Model) open() tea.Cmd {
	entry := m.picker.selected()
	if entry == nil {
		return nil
	}
	m.loading = newLoading(*entry)
	m.screen = screenLoading
	return m.loading.start(m.options.Open)
}

// row is a line of the list: a heading, or the entry at an index.
type row struct {
	heading string
	entry   int
}

func (p *picker) rows() []row {
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
func (p *picker) window(height int) []row {
	rows := p.rows()
	at := slices.IndexFunc(rows, func(r row) bool { return r.entry == p.cursor })
	from, to := frame.Window(len(rows), at, height)
	return rows[from:to]
}

const topicWidth = 16

// list draws the scenarios.
func (p *picker) list(t *theme.Theme, width, height int) []string {
	title := t.Title.Render("Scenarios")
	if p.filter != "" {
		title += t.Note.Render(" /" + p.filter)
	}
	title += t.Dim.Render(fmt.Sprintf("  %d of %d", len(p.shown), len(p.all)))
	var lines []string
	for _, r := range p.window(height - 2) {
		switch {
		case r.entry >= 0:
			e := &p.shown[r.entry]
			topic := frame.Fit(frame.Middle(e.Topic, topicWidth-1), topicWidth)
			if r.entry == p.cursor {
				lines = append(lines, t.Now.Render(frame.Fit("▸ "+topic+e.Title, width-4)))
			} else {
				lines = append(lines, "  "+t.Dim.Render(topic)+e.Title)
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
func (p *picker) preview(t *theme.Theme, width, height int) []string {
	e := p.selected()
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
	return frame.Box(t.Title.Render(e.Name)+t.Dim.Render("  "+joined(e.Topic, e.Level)), lines, width, height, t.Dim)
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

// view draws the picker.
func (p *picker) view(t *theme.Theme, width, height int) []string {
	head := []string{frame.Ends(
		" "+t.Title.Render("kubestep")+t.Dim.Render("  the real controllers of Kubernetes, step by step"),
		t.Dim.Render("virtual time, no cluster "), width)}
	height--
	if width >= wideWidth {
		left := width * 11 / 20
		return append(head, frame.Beside(p.list(t, left, height), p.preview(t, width-left, height))...)
	}
	below := max(height*2/5, 7)
	head = append(head, p.list(t, width, height-below)...)
	return append(head, p.preview(t, width, below)...)
}
