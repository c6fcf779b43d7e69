package pane

import (
	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// Math shows what a controller computed in a sync, with the numbers that its cache had: in the sync at the cursor, or else in the
// last one of the workload that is shown.
type Math struct{}

// Title implements Pane.
func (Math) Title(Moment, *theme.Theme) (name, detail string) { return "Math", "" }

// Missing implements Conditional.
func (Math) Missing(m Moment) string {
	if w := m.workload(); w != nil && explain.ControllerOf(w.Object.Resource) != "" {
		return ""
	}
	return "Math shows only workloads; Loop shows a sync of any controller"
}

// Render implements Pane.
func (Math) Render(m Moment, c Canvas) []string { return math{m, c}.lines() }

// math is a calculation that is being drawn.
type math drawing

func (p math) lines() []string {
	w := p.workload()
	if w == nil {
		return nil
	}
	if p.Question() != nil {
		return frame.Wrap("The arithmetic is part of the question.", p.Width, 0)
	}
	e := explain.At(p.Rec, p.Seq)
	if e == nil {
		e = explain.Last(p.Rec, w, p.Seq)
	}
	if e == nil {
		return frame.Wrap(explain.ControllerOf(w.Object.Resource)+" has not synced "+w.Object.Name+" yet.", p.Width, 0)
	}
	if p.conceals(e.Start) {
		return frame.Wrap("The arithmetic is part of the next question.", p.Width, 0)
	}
	head := "This sync"
	if e.Key != w.Key() || e.Controller != explain.ControllerOf(w.Object.Resource) {
		head += " of " + e.Key + " by " + e.Controller
	}
	if p.Rec.SyncOf(p.Seq) != e.Start {
		head = "The last sync, at " + trace.Seconds(e.At)
	}
	head += ": " + e.Branch
	lines := []string{p.Theme.Dim.Render(head)}
	for _, line := range e.Lines(p.Width) {
		lines = append(lines, p.styled(line))
	}
	return lines
}

// styled lets the numbered decisions stand out from what they are made of.
func (p math) styled(line arithmetic.TextLine) string {
	switch line.Part {
	case arithmetic.Verdict:
		return p.Theme.Now.Render(line.Text)
	case arithmetic.Decision:
		return p.Theme.Title.Render(line.Text)
	}
	return line.Text
}
