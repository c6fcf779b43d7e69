package pane

import (
	"slices"
	"strings"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/frame"
)

// Shown is the direction of the scenario that applies at the cursor, nil if there is none.
func (m Moment) Shown() *trace.Show {
	if seq := recording.Latest(m.Rec.Marks().Shows, m.Seq); seq != 0 {
		return m.Rec.Record(seq).Show
	}
	return nil
}

// InFocus are the names of components that the scenario directs the reader to, and the indexes of workloads.
func (m Moment) InFocus() (components []string, workloads []int) {
	show := m.Shown()
	if show == nil {
		return nil, nil
	}
	for _, name := range show.Focus {
		if !strings.Contains(name, "/") {
			components = append(components, name)
		} else if workload := m.Rec.WorkloadNamed(name); workload >= 0 {
			workloads = append(workloads, workload)
		}
	}
	return components, workloads
}

// Directed returns the moment with the first workload that the scenario directs the reader to.
func (m Moment) Directed() Moment {
	if _, workloads := m.InFocus(); len(workloads) > 0 {
		return m.Show(workloads[0])
	}
	return m
}

// pair are the two workloads that the scenario shows beside each other, if one of them is shown.
func (m Moment) pair() (left, right int, ok bool) {
	_, workloads := m.InFocus()
	if len(workloads) != 2 || !slices.Contains(workloads, m.Workload) {
		return 0, 0, false
	}
	return workloads[0], workloads[1], true
}

// wideEnough is the width from which on two workloads are beside each other; below it, one is above the other.
const wideEnough = 96

// both draws two workloads.
func (m Moment) both(left, right int, c Canvas, draw func(Moment, Canvas) []string) []string {
	half := c
	of := func(workload int, c Canvas) []string {
		n := m
		n.Workload, n.Row = workload, 0
		w := m.Rec.Workloads()[workload]
		head := c.Theme.Title.Render(w.Kind + " " + w.Object.Name)
		c.Height--
		return append([]string{head}, draw(n, c)...)
	}
	if c.Width < wideEnough {
		half.Height = c.Height / 2
		return append(frame.Block(of(left, half), half.Width, half.Height), of(right, half)...)
	}
	half.Width = (c.Width - 2) / 2
	gap := frame.Block(nil, 2, c.Height)
	return frame.Beside(frame.Block(of(left, half), half.Width, half.Height), gap, frame.Block(of(right, half), half.Width, half.Height))
}
