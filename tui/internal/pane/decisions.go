package pane

import (
	"strings"

	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// Decisions is the table of what a controller changed for one object: the workload that is shown, or the selected object if a
// controller that is explained owns it, such as a ReplicaSet of the workload. The cursor is in it.
type Decisions struct{}

// Title implements Pane.
func (Decisions) Title(m Moment, t *theme.Theme) (name, detail string) {
	if o, ok := m.decided(); ok {
		detail = t.Dim.Render("  of " + explain.ControllerOf(o.Resource) + " for " + o.Namespace + "/" + o.Name)
	}
	return "Decisions", detail
}

// Missing implements Conditional.
func (Decisions) Missing(m Moment) string {
	if _, ok := m.decided(); !ok {
		return "this recording has no workload whose decisions are explained"
	}
	return ""
}

// decided is the object whose decisions are shown.
func (m Moment) decided() (o trace.Object, ok bool) {
	if explain.ControllerOf(m.Selected.Resource) != "" {
		return m.Selected, true
	}
	if w := m.workload(); w != nil && explain.ControllerOf(w.Object.Resource) != "" {
		return w.Object, true
	}
	return trace.Object{}, false
}

// table is the decisions that may be seen, and the index of the last one at or before the cursor, -1 if there is none. What is decided
// or carried out after an open question would tell its answer.
func (m Moment) table() (head []string, rows []scene.Row, at int) {
	o, ok := m.decided()
	if !ok {
		return nil, nil, -1
	}
	table := m.Scenes.Decisions(o)
	rows, at = table.Until(m.openQuestion(), m.Seq)
	return table.Head, rows, at
}

// Select implements Lister. The lines are the decisions.
func (Decisions) Select(m Moment, by int) Moment {
	_, rows, at := m.table()
	if by < 0 && at >= 0 && m.Seq > rows[at].Seq {
		// From behind a decision, the first line above is that decision.
		by++
	}
	if to := min(max(at+by, 0), len(rows)-1); len(rows) > 0 && (by != 0 || at >= 0 && m.Seq > rows[at].Seq) {
		m = m.At(rows[to].Seq)
	}
	return m
}

// Click implements Clicker.
func (Decisions) Click(m Moment, c Canvas, line int) Moment {
	p := decisions{drawing: drawing{m, c}}
	_, rows, at := m.table()
	from, to := frame.Window(len(rows), at, p.room(rows, at))
	if i := from + line - 1; line > 0 && i < to {
		m = m.At(rows[i].Seq)
	}
	return m
}

// Render implements Pane.
func (Decisions) Render(m Moment, c Canvas) []string {
	return decisions{drawing: drawing{m, c}}.lines()
}

// decisions is a table that is being drawn.
type decisions struct{ drawing }

func (p decisions) lines() []string {
	head, rows, at := p.table()
	if len(rows) == 0 {
		return []string{"", "Its controller has not changed anything yet."}
	}
	cells, widths := p.cells(head, rows)
	lines := []string{p.Theme.Dim.Render("  " + p.line(cells[0], widths))}
	from, to := frame.Window(len(rows), at, p.room(rows, at))
	for i := from; i < to; i++ {
		line := p.line(cells[i+1], widths)
		switch {
		case i == at:
			line = p.Theme.Now.Render("▸ " + line)
		case i > at:
			line = p.Theme.Dim.Render("  " + line)
		default:
			line = "  " + line
		}
		lines = append(lines, line)
	}
	return append(lines, p.sentence(rows, at)...)
}

// room is how many decisions there is room for.
func (p decisions) room(rows []scene.Row, at int) int {
	return max(p.Height-1-len(p.sentence(rows, at)), 1)
}

// sentence is the whole of the decision at the cursor, which the column cuts.
func (p decisions) sentence(rows []scene.Row, at int) []string {
	if at < 0 || p.Height < 8 {
		return nil
	}
	lines := []string{""}
	for _, line := range frame.Wrap(rows[at].Verdict, p.Width, 0) {
		lines = append(lines, p.Theme.Now.Render(line))
	}
	return lines
}

// cells are the cells of the table with its headings, and how wide the columns are. The last column has the rest of the line.
func (p decisions) cells(head []string, rows []scene.Row) (cells [][]string, widths []int) {
	cells = [][]string{head}
	for _, r := range rows {
		cells = append(cells, r.Cells)
	}
	for column := range len(cells[0]) - 1 {
		width := 0
		for _, row := range cells {
			width = max(width, frame.Width(row[column]))
		}
		widths = append(widths, min(width, p.Width*2/5))
	}
	return cells, widths
}

// line is one line of the table. Times and numbers are at the right of their columns.
func (p decisions) line(cells []string, widths []int) string {
	var b strings.Builder
	for i, width := range widths {
		fit := frame.Right
		if len(widths) == 2 && i == 1 {
			fit = frame.Fit
		}
		b.WriteString(fit(cells[i], width) + "  ")
	}
	return frame.Fit(b.String()+cells[len(widths)], p.Width-2)
}
