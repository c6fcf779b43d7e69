package pane

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// Branches shows the tree of runs with what came of each and, below it, two of them side by side, both at the same time: the one that is
// shown and the selected one, or a branch and its parent.
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
	left, right, ok := m.compared()
	if !ok {
		return Draw(runs{}, m, c, "")
	}
	top := c
	top.Height = min(len(m.Runs)+1+borderHeight, max(c.Height/3, 5))
	lines := Draw(runs{}, m, top, "")
	rest := c
	rest.Height -= top.Height
	if c.Width < twoRollouts || rest.Height < tallRollout {
		return append(lines, Draw(difference{left, right}, m, rest, "")...)
	}
	one, other := rest, rest
	one.Width = c.Width / 2
	other.Width = c.Width - one.Width
	scale := max(m.of(left).widest(), m.of(right).widest())
	return append(lines, frame.Beside(
		Draw(side{m.Runs[left], scale}, m.of(left), one, ""), Draw(side{m.Runs[right], scale}, m.of(right), other, ""))...)
}

// widest is how many Pods a ruler of the workload must have room for at every record.
func (m Moment) widest() int {
	w, s := m.state()
	if w == nil {
		return 0
	}
	most := max(s.Replicas, s.Pods)
	if s.Bound != nil {
		most = max(most, s.Bound.Most)
	}
	for _, point := range w.Series {
		most = max(most, point.Total)
	}
	return most
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

// compared are the two runs that are side by side, the older one first: the one that is shown and the selected one. If that is the same,
// it is compared with its parent, or the scenario itself with the newest branch. ok is false if there is only one run.
func (m Moment) compared() (left, right int, ok bool) {
	left, right = min(m.Run, m.MarkedRun), max(m.Run, m.MarkedRun)
	switch {
	case len(m.Runs) < 2:
		return 0, 0, false
	case left != right:
	case m.Runs[right].Parent >= 0:
		left = m.Runs[right].Parent
	default:
		right = len(m.Runs) - 1
	}
	return left, right, true
}

// of is the moment of another run at the same time.
func (m Moment) of(run int) Moment {
	seq := m.Seq
	if run != m.Run {
		seq = m.Runs[run].Rec.Find(m.Now)
	}
	r := m.Runs[run]
	return Moment{Live: m.Live, Seq: seq, Now: m.Now, Workload: m.Workload}.Renewed(r.Scenes)
}

// runs is the tree.
type runs struct{}

// Title implements Pane.
func (runs) Title(_ Moment, t *theme.Theme) (name, detail string) {
	return "Branches", t.Dim.Render("  ↑ ↓ select, enter shows, : starts one here")
}

// Render implements Pane.
func (runs) Render(m Moment, c Canvas) []string {
	if len(m.Runs) == 1 {
		lines := []string{"  " + m.Runs[0].text(), ""}
		lines = append(lines,
			frame.Wrap("What if something else happened here? : starts a branch at the time of the cursor.", c.Width, 0)...)
		return append(lines, frame.Wrap("What if a number were another one from the start? :max-surge 0, :max-unavailable 1, "+
			":replicas 4 and :ready 10s start a branch, too.", c.Width, 0)...)
	}
	order, depths := m.tree()
	outline := frame.Outline(depths)
	left, right, _ := m.compared()
	var lines []string
	for i, run := range order {
		text := outline[i] + m.Runs[run].text()
		if run == m.Run {
			text += "  (shown)"
		}
		result := m.outcome(run, c.Width)
		if c.Width >= twoRollouts {
			result += frame.Right(Verdict(m.Runs[run].Rec, c.Theme, m.Runs[run].Parent >= 0), verdictWidth)
		}
		line := frame.Ends(frame.Marked(run == m.MarkedRun)+text, result, c.Width)
		switch run {
		case m.MarkedRun:
			line = c.Theme.Now.Render(line)
		case left, right:
		default:
			line = c.Theme.Dim.Render(line)
		}
		lines = append(lines, line)
	}
	head := headings(c.Width)
	if c.Width >= twoRollouts {
		head += strings.Repeat(" ", verdictWidth)
	}
	from, to := frame.Window(len(lines), slices.Index(order, m.MarkedRun), c.Height-1)
	return append([]string{c.Theme.Dim.Render(frame.Ends("", head, c.Width))}, lines[from:to]...)
}

// verdictWidth is the width of the column of verdicts.
const verdictWidth = 16

// text says which run it is, and where it left its parent.
func (r Run) text() string {
	switch {
	case r.Session:
		return "the session"
	case r.Parent < 0:
		return "the scenario itself"
	case r.Varied:
		return "with " + r.Step
	}
	return fmt.Sprintf("at %s: %s", trace.Seconds(r.At), r.Step)
}

// side is the rollout of one of two runs, of which both have the same scale.
type side struct {
	run   Run
	scale int
}

// Title implements Pane.
func (s side) Title(_ Moment, t *theme.Theme) (name, detail string) {
	switch {
	case s.run.Parent < 0:
		return s.run.text(), ""
	case s.run.Varied:
		name = s.run.text()
	default:
		name = fmt.Sprintf("from %s on: %s", trace.Seconds(s.run.At), s.run.Step)
	}
	return name, t.Dim.Render("  " + s.run.verdict(t))
}

// Render implements Pane.
func (s side) Render(m Moment, c Canvas) []string { return Rollout{s.scale}.Render(m, c) }

// difference puts the numbers of two runs below each other, where there is no room for two rollouts.
type difference struct{ left, right int }

// Title implements Pane.
func (difference) Title(m Moment, t *theme.Theme) (name, detail string) {
	return "Compared", t.Dim.Render("  at " + trace.Seconds(m.Now))
}

// Render implements Pane.
func (d difference) Render(m Moment, c Canvas) []string {
	each := (c.Width - 12 - len("  differ")) / 2
	head := func(run int) string { return frame.Right(frame.Middle(m.Runs[run].text(), each-2), each) }
	lines := []string{c.Theme.Dim.Render(frame.Fit("", 12) + head(d.left) + head(d.right))}
	_, a := m.of(d.left).state()
	_, b := m.of(d.right).state()
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
		line := frame.Fit(row.name, 12) + frame.Right(fmt.Sprint(row.a), each) + frame.Right(fmt.Sprint(row.b), each)
		if row.a != row.b {
			line = c.Theme.Now.Render(line + "  differ")
		}
		lines = append(lines, line)
	}
	line := frame.Fit("checks", 12)
	for _, run := range []int{d.left, d.right} {
		line += frame.Right(frame.Middle(m.Runs[run].verdict(c.Theme), each-2), each)
	}
	return append(lines, line)
}

// verdict is the result of the run's checks, with the name of the first one that a branch fails.
func (r Run) verdict(t *theme.Theme) string {
	failed := r.Rec.Marks().FailedChecks
	if r.Parent < 0 || r.Rec.Result != runner.Fail || len(failed) == 0 {
		return Verdict(r.Rec, t, r.Parent >= 0)
	}
	name := r.Rec.Record(failed[0]).Check.Name
	// A step with a condition is a check that is named by its field. The key g goes to step:6.
	if step := format.StepIndex(name); step >= 0 {
		name = fmt.Sprintf("step:%d", step)
	}
	if more := len(failed) - 1; more > 0 {
		name += fmt.Sprintf(" +%d", more)
	}
	return "fails " + name
}

// Verdict is that of a run, as kubestep explore says it. The checks of a branch are about the run that it left: it need not pass them.
func Verdict(rec *recording.Recording, t *theme.Theme, branch bool) string {
	failed, verdict := len(rec.Marks().FailedChecks), runner.VerdictOf(rec)
	switch {
	case verdict == "":
		return ""
	case verdict == runner.Pass:
		return "✓ " + runner.VerdictWord(verdict)
	case rec.Result == runner.Fail && branch && failed == 1:
		return "fails 1 check"
	case rec.Result == runner.Fail && branch && failed > 1:
		return fmt.Sprintf("fails %d checks", failed)
	}
	return t.Failed.Render("✗ " + runner.VerdictWord(verdict))
}
