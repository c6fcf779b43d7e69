package pane

import (
	"slices"

	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/tui/internal/frame"
)

// Direction is what the scenario directs the reader to at the cursor.
func (m Moment) Direction() scene.Direction { return m.Scenes.Direction(m.Seq) }

// Directed returns the moment with the first workload that the scenario directs the reader to, and with the first object selected.
func (m Moment) Directed() Moment {
	d := m.Direction()
	if len(d.Workloads) > 0 {
		m = m.Show(d.Workloads[0])
	}
	if len(d.Objects) > 0 {
		m.Selected = d.Objects[0]
	}
	return m
}

// pair are the two workloads that the scenario shows beside each other, if one of them is shown.
func (m Moment) pair() (left, right int, ok bool) {
	workloads := m.Direction().Workloads
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
