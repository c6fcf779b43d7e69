package pane

import (
	"fmt"
	"slices"

	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/frame"
	"github.com/kubestep/kubestep/tui/theme"
)

// Branches shows the tree of runs and, below it, the selected branch beside its parent, both at the same time.
type Branches struct{}

// Title implements Pane: each of its parts has a border of its own.
func (Branches) Title(Moment, *theme.Theme) (name, detail string) { return "", "" }

// Select implements Lister. The lines are the runs.
func (Branches) Select(m Moment, by int) Moment {
	order, _ := m.tree()
	at := slices.Index(order, m.MarkedRun)
	m.MarkedRun = order[min(max(at+by, 0), len(order)-1)]
	return m
}

// Choose implements Chooser: it shows the selected run.
func (Branches) Choose(m Moment) (after Moment, ok bool) {
	ok = len(m.Runs) > 1
	m.Run = m.MarkedRun
	return m, ok
}

// Below this width, and with fewer lines than this, there is no room for two rollouts side by side.
const twoRollouts, tallRollout = 100, 10

// Render implements Pane.
func (Branches) Render(m Moment, c Canvas) []string {
	branch := m.compared()
	if branch < 0 {
		return Draw(runs{}, m, c, "")
	}
	top := c
	top.Height = min(len(m.Runs)+borderHeight, max(c.Height/3, 4))
	lines := Draw(runs{}, m, top, "")
	rest := c
	rest.Height -= top.Height
	parent := m.Runs[branch].Parent
	if c.Width < twoRollouts || rest.Height < tallRollout {
		return append(lines, Draw(difference{parent, branch}, m, rest, "")...)
	}
	left, right := rest, rest
	left.Width = c.Width / 2
	right.Width = c.Width - left.Width
	return append(lines, frame.Beside(
		Draw(side{m.Runs[parent]}, m.of(parent), left, ""), Draw(side{m.Runs[branch]}, m.of(branch), right, ""))...)
}

// tree is the runs from top to bottom, each below the one that it left, and how deep each is.
func (m Moment) tree() (order, depths []int) {
	var add func(parent, depth int)
	add = func(parent, depth int) {
		for i, run := range m.Runs {
			if run.Parent == parent {
				order, depths = append(order, i), append(depths, depth)
				add(i, depth+1)
			}
		}
	}
	add(-1, 0)
	return order, depths
}

// compared is the branch that is shown beside its parent: the selected one, else the one that is shown, else the
// newest; -1 if there is none.
func (m Moment) compared() int {
	for _, i := range []int{m.MarkedRun, m.Run, len(m.Runs) - 1} {
		if m.Runs[i].Parent >= 0 {
			return i
		}
	}
	return -1
}

// of is the moment of another run at the same time.
func (m Moment) of(run int) Moment {
	seq := m.Seq
	if run != m.Run {
		seq = m.Runs[run].Rec.Find(m.Now)
	}
	r := m.Runs[run]
	return Moment{Rec: r.Rec, History: r.History, Film: r.Film, Live: m.Live, Seq: seq, Now: m.Now, Workload: m.Workload}
}

// runs is the tree.
type runs struct{}

// Title implements Pane.
func (runs) Title(_ Moment, t *theme.Theme) (name, detail string) {
	return "Branches", t.Dim.Render("  ↑ ↓ select, enter shows, : starts one here")
}

// Render implements Pane.
func (runs) Render(m Moment, c Canvas) []string {
	order, depths := m.tree()
	outline := frame.Outline(depths)
	var lines []string
	for i, run := range order {
		text := outline[i] + m.Runs[run].text()
		if run == m.Run {
			text += "  (shown)"
		}
		line := frame.Ends(marked(run == m.MarkedRun)+text, Verdict(m.Runs[run].Rec, c.Theme), c.Width)
		if run == m.MarkedRun {
			line = c.Theme.Now.Render(line)
		}
		lines = append(lines, line)
	}
	if len(m.Runs) == 1 {
		return append(lines, "", "What if something else happened here? : starts a branch at the time of the cursor.")
	}
	from, to := frame.Window(len(lines), slices.Index(order, m.MarkedRun), c.Height)
	return lines[from:to]
}

func marked(yes bool) string {
	if yes {
		return "▸ "
	}
	return "  "
}

// text says which run it is, and where it left its parent.
func (r Run) text() string {
	if r.Parent < 0 {
		return "the scenario itself"
	}
	return fmt.Sprintf("at %s: %s", trace.Seconds(r.At), r.Step)
}

// side is the rollout of one of two runs.
type side struct{ run Run }

// Title implements Pane.
func (s side) Title(Moment, *theme.Theme) (name, detail string) {
	if s.run.Parent < 0 {
		return s.run.text(), ""
	}
	return fmt.Sprintf("from %s on: %s", trace.Seconds(s.run.At), s.run.Step), ""
}

// Render implements Pane.
func (side) Render(m Moment, c Canvas) []string { return Rollout{}.Render(m, c) }

// difference puts the numbers of two runs below each other, where there is no room for two rollouts.
type difference struct{ parent, branch int }

// Title implements Pane.
func (difference) Title(m Moment, t *theme.Theme) (name, detail string) {
	return "Compared", t.Dim.Render("  at " + trace.Seconds(m.Now))
}

// Render implements Pane.
func (d difference) Render(m Moment, c Canvas) []string {
	lines := []string{c.Theme.Dim.Render(frame.Fit("", 12) + frame.Right("parent", 10) + frame.Right("branch", 10))}
	_, a := m.of(d.parent).state()
	_, b := m.of(d.branch).state()
	for _, row := range []struct {
		name string
		a, b int
	}{
		{"replicas", a.Replicas, b.Replicas},
		{"pods", a.Pods, b.Pods},
		{"available", a.Available, b.Available},
		{"updated", a.Updated, b.Updated},
		{"terminating", a.Terminating, b.Terminating},
	} {
		line := frame.Fit(row.name, 12) + frame.Right(fmt.Sprint(row.a), 10) + frame.Right(fmt.Sprint(row.b), 10)
		if row.a != row.b {
			line = c.Theme.Now.Render(line + "  differ")
		}
		lines = append(lines, line)
	}
	return lines
}

// Verdict is the result of a run's checks.
func Verdict(rec *recording.Recording, t *theme.Theme) string {
	switch rec.Result {
	case "":
		return ""
	case runner.Pass:
		return "✓ pass"
	case runner.Fail:
		return t.Failed.Render("✗ FAIL")
	}
	return t.Failed.Render("✗ crashed")
}
