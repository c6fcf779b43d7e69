package pane

import (
	"strings"

	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/frame"
	"github.com/kubestep/kubestep/tui/theme"
)

// Math shows what the Deployment controller computed in a sync, with the numbers that its cache had.
type Math struct {
	base
	workload int
	scroll   int
}

// NewMath returns the pane.
func NewMath(rec *recording.Recording, t *theme.Theme) *Math {
	return &Math{base: base{rec: rec, theme: t}}
}

// Select says which workload is looked at.
func (p *Math) Select(workload int) { p.workload = workload }

// SetScroll leaves out that many lines at the top.
func (p *Math) SetScroll(n int) { p.scroll = n }

// Render draws the pane in a box.
func (p *Math) Render(title string) []string {
	width, height := p.width-4, p.height-2
	lines := p.lines(width)
	from := min(p.scroll, max(len(lines)-height, 0))
	return frame.Box(title, cutOff(lines[from:], height, p.theme), p.width, p.height, p.theme.Dim)
}

func (p *Math) lines(width int) []string {
	if p.workload >= len(p.rec.Workloads()) {
		return nil
	}
	w := p.rec.Workloads()[p.workload]
	e := explain.Last(p.rec, w, p.cursor)
	if e == nil {
		return frame.Wrap("The Deployment controller has not looked at "+w.Object.Name+" yet.", width, 0)
	}
	head := "This sync"
	if p.rec.SyncOf(p.cursor) != e.Start {
		head = "The last sync, at " + trace.Seconds(e.At)
	}
	head += ": " + e.Branch
	lines := []string{p.theme.Dim.Render(head)}
	for _, line := range e.Text(width) {
		lines = append(lines, p.styled(line))
	}
	return lines
}

// styled lets the numbered decisions stand out from what they are made of.
func (p *Math) styled(line string) string {
	number, rest, _ := strings.Cut(line, "  ")
	switch {
	case number == "" || strings.Trim(number, "0123456789") != "":
		return line
	case strings.HasPrefix(rest, "so: "):
		return p.theme.Now.Render(line)
	}
	return p.theme.Title.Render(line)
}
