package tui

import (
	"fmt"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/frame"
	"github.com/kubestep/kubestep/tui/pane"
)

// tree is the branches as they are listed.
func (m *Model) tree() *pane.Tree {
	tree := &pane.Tree{Current: m.current, Selected: m.selectedBranch, Theme: m.theme}
	for _, n := range m.branches {
		tree.Branches = append(tree.Branches, pane.Branch{Parent: n.parent, Step: n.step, At: n.at, Verdict: m.verdictOf(n.viewer.rec)})
	}
	return tree
}

// selectBranch moves the selection in the tree.
func (m *Model) selectBranch(by int) {
	order := m.tree().Order()
	for i, b := range order {
		if b == m.selectedBranch {
			m.selectedBranch = order[min(max(i+by, 0), len(order)-1)]
			return
		}
	}
}

// viewBranches draws the tree and, below it, the selected branch beside its parent, both at the time of the clock.
func (m *Model) viewBranches(r Rect) []string {
	t := m.theme
	lines := m.tree().Lines(r.W - 4)
	height := min(len(lines)+2, max(r.H/3, 4))
	title := t.Title.Render("Branches") + t.Dim.Render("  ↑ ↓ select, enter shows, : begins one here")
	if at := m.selectedLine(); at >= height-2 {
		lines = lines[at-height+3:]
	}
	out := frame.Box(title, lines, r.W, height, t.Dim)
	right := m.compared()
	if right < 0 {
		return frame.Block(out, r.W, r.H)
	}
	rest := r.H - height
	if r.W < wideWidth || rest < 10 {
		return append(out, m.viewDifference(right, r.W, rest)...)
	}
	left := m.branches[right].parent
	half := r.W / 2
	return append(out, frame.Beside(m.rolloutAt(left, half, rest), m.rolloutAt(right, r.W-half, rest))...)
}

// selectedLine is where in the list the selection stands.
func (m *Model) selectedLine() int {
	for i, b := range m.tree().Order() {
		if b == m.selectedBranch {
			return i
		}
	}
	return 0
}

// compared is the branch that is shown beside its parent: the selected one, else the one that is shown, else the
// newest; -1 if there is none.
func (m *Model) compared() int {
	for _, i := range []int{m.selectedBranch, m.current, len(m.branches) - 1} {
		if m.branches[i].parent >= 0 {
			return i
		}
	}
	return -1
}

// rolloutAt is the shown workload of a run at the time of the clock.
func (m *Model) rolloutAt(i, w, h int) []string {
	p := m.rolloutOf(i)
	p.SetSize(w, h)
	p.SetHeading(m.headingOf(i))
	return p.Render()
}

func (m *Model) rolloutOf(i int) *pane.Rollout {
	n, now := m.branches[i], m.viewer.player.head
	p := pane.NewRollout(n.viewer.rec, m.theme)
	p.Select(m.viewer.workload, 0)
	p.SetCursor(n.viewer.rec.Find(now))
	if i == m.current {
		p.SetCursor(m.viewer.cursor)
	}
	p.SetNow(now)
	return p
}

// headingOf says which run it is, and where it parts from the other.
func (m *Model) headingOf(i int) string {
	n := m.branches[i]
	if n.parent < 0 {
		return "the scenario itself"
	}
	return fmt.Sprintf("from %s on: %s", trace.Seconds(n.at), n.step)
}

// viewDifference puts the numbers of both runs below each other, where there is no room for both rollouts.
func (m *Model) viewDifference(right, w, h int) []string {
	t := m.theme
	lines := []string{t.Dim.Render(frame.Fit("", 12) + frame.Right("parent", 10) + frame.Right("branch", 10))}
	_, a := m.rolloutOf(m.branches[right].parent).State()
	_, b := m.rolloutOf(right).State()
	for _, row := range []struct {
		name string
		a, b int
	}{
		{"replicas", a.Replicas, b.Replicas}, {"pods", a.Pods, b.Pods}, {"available", a.Available, b.Available},
		{"updated", a.Updated, b.Updated}, {"terminating", a.Terminating, b.Terminating},
	} {
		line := frame.Fit(row.name, 12) + frame.Right(fmt.Sprint(row.a), 10) + frame.Right(fmt.Sprint(row.b), 10)
		if row.a != row.b {
			line = t.Now.Render(line + "  differ")
		}
		lines = append(lines, line)
	}
	title := t.Title.Render("Compared") + t.Dim.Render("  at "+trace.Seconds(m.viewer.player.head))
	return frame.Box(title, lines, w, h, t.Dim)
}
