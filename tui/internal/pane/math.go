package pane

import (
	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
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

// Render implements Pane. The numbered decisions stand out from what they are made of.
func (Math) Render(m Moment, c Canvas) []string {
	w := m.workload()
	if w == nil {
		return nil
	}
	sum := m.Beat().Sum(w)
	if sum.Hidden != "" {
		return frame.Wrap(sum.Hidden, c.Width, 0)
	}
	lines := []string{c.Theme.Dim.Render(sum.Title)}
	for _, line := range sum.Lines(c.Width) {
		switch line.Part {
		case arithmetic.Verdict:
			line.Text = c.Theme.Now.Render(line.Text)
		case arithmetic.Decision:
			line.Text = c.Theme.Title.Render(line.Text)
		}
		lines = append(lines, line.Text)
	}
	return lines
}
