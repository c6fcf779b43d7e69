package pane

import (
	"fmt"
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// Rollout shows one workload at the cursor: between which bounds it is, and its Pods.
type Rollout struct {
	// scale is how many Pods the ruler has room for at least, so that those of two rollouts have the same scale; 0 is as many as there
	// are.
	scale int
}

// Title implements Pane.
func (Rollout) Title(m Moment, t *theme.Theme) (name, detail string) {
	w := m.workload()
	if _, _, two := m.pair(); w == nil || two {
		return "Rollout", ""
	}
	name = w.Object.Name
	if w.Object.Namespace != "" {
		name = w.Object.Namespace + "/" + name
	}
	if n := len(m.Rec.Workloads()); n > 1 {
		detail = t.Dim.Render(fmt.Sprintf("  %d of %d, [ ] others", m.Workload+1, n))
	}
	return w.Kind + " " + name, detail
}

// Missing implements Conditional.
func (Rollout) Missing(m Moment) string {
	if len(m.Rec.Workloads()) == 0 {
		return "this recording has no Deployment, StatefulSet, DaemonSet or Job"
	}
	return ""
}

// Select implements Lister. The lines are the workload and its ReplicaSets.
func (Rollout) Select(m Moment, by int) Moment {
	if rows := m.rows(); len(rows) > 0 {
		m.Row = min(max(m.Row+by, 0), len(rows)-1)
		m.Selected = rows[m.Row]
	}
	return m
}

// Show returns the moment with another workload that is shown.
func (m Moment) Show(workload int) Moment {
	m.Workload, m.Row = workload, 0
	return Rollout{}.Select(m, 0)
}

// workload is the one that is shown; nil if there is none.
func (m Moment) workload() *recording.Workload {
	if workloads := m.Rec.Workloads(); m.Workload < len(workloads) {
		return workloads[m.Workload]
	}
	return nil
}

// state is the workload that is shown, and its state at the cursor.
func (m Moment) state() (*recording.Workload, recording.State) {
	w := m.workload()
	if w == nil {
		return nil, recording.State{}
	}
	return w, w.At(m.Seq, m.Now)
}

// rows are the objects that can be selected: the workload, then its ReplicaSets.
func (m Moment) rows() []trace.Object {
	w := m.workload()
	if w == nil {
		return nil
	}
	rows := []trace.Object{w.Object}
	for _, g := range m.Beat().Rollout(w).Groups {
		if g.Name != "" && g.Object != w.Object {
			rows = append(rows, g.Object)
		}
	}
	return rows
}

// Render implements Pane.
func (p Rollout) Render(m Moment, c Canvas) []string {
	if why := p.Missing(m); why != "" {
		return []string{"", why}
	}
	if left, right, ok := m.pair(); ok {
		return m.rollouts(left, right, c)
	}
	return p.of(m, c)
}

// of draws the workload that is shown.
func (p Rollout) of(m Moment, c Canvas) []string {
	w := m.workload()
	return rollout{drawing{m, c}, m.Beat().Rollout(w), p.scale}.lines(w)
}

// rollouts draws two workloads, on one scale.
func (m Moment) rollouts(left, right int, c Canvas) []string {
	one, other := m, m
	one.Workload, other.Workload = left, right
	return m.both(left, right, c, Rollout{max(one.widest(), other.widest())}.of)
}

// smallRollout is the height below which a rollout has no room for a sentence.
const smallRollout = 6

// rollout is a workload that is being drawn.
type rollout struct {
	drawing
	*scene.Rollout
	scale int
}

func (p rollout) lines(w *recording.Workload) []string {
	if p.Absent != "" {
		return []string{"", p.Absent}
	}
	sections := []section{{8, []string{p.about()}}, {2, []string{""}}}
	// These are what a rollout is about, and the sentence about it has the rest of the room.
	groups := p.groups()
	room := p.Height - len(groups)
	ruler := p.ruler()
	main := min(len(ruler), mainBars)
	sections = append(sections, section{10, ruler[:main]}, section{9, ruler[main:]})
	if len(p.Posts) > 0 {
		sections = append(sections, section{4, p.history(w)})
	}
	room -= main
	keepNow := 12
	if p.Height < smallRollout {
		// The Pods are what a rollout is: where there is no room for a sentence, it goes first.
		keepNow = 2
	}
	sections = append(sections, section{1, []string{""}}, section{11, groups}, section{keepNow, p.said(w, room)})
	if conditions := p.conditions(); len(conditions) > 0 {
		sections = append(sections, section{0, []string{""}}, section{3, conditions})
	}
	sections = append(sections, section{-1, []string{""}}, section{5, p.legend()})
	return fitSections(sections, p.Height)
}

// mainBars is how many lines of the ruler stay where there is little room: the scale, and the bars of the Pods that are available and
// of all.
const mainBars = 3

// said is what is true now. It has one line at least, and more as far as there is room.
func (p rollout) said(w *recording.Workload, room int) []string {
	text := p.Beat().Said(w)
	if text == "" {
		return nil
	}
	style := p.Theme.Now
	if p.Question() != nil {
		style = p.Theme.Dim
	}
	lines := frame.Brief(text, p.Width-rulerLabel, max(room, 1))
	for i := range lines {
		label := ""
		if i == 0 {
			label = "now"
		}
		lines[i] = frame.Fit(label, rulerLabel) + style.Render(lines[i])
	}
	return lines
}

// legend explains the glyphs of the Pods that there are now.
func (p rollout) legend() []string {
	text := ""
	for _, phase := range p.Seen {
		text += p.Glyph(phase) + p.Theme.Dim.Render(" "+phase.Word()+"   ")
	}
	return []string{text}
}

// about is the line of what was asked for.
func (p rollout) about() string {
	parts := p.About
	if p.Behind != "" {
		parts = append(parts, p.Theme.Pending.Render(p.Behind))
	}
	return strings.Join(parts, " · ")
}

func (p rollout) conditions() (lines []string) {
	for _, c := range p.Conditions {
		style := p.Theme.Ready
		if !c.Good {
			style = p.Theme.Pending
		}
		lines = append(lines, frame.Fit(c.Type, rulerLabel+2)+style.Render(frame.Fit(c.Status, 7))+" "+c.Reason)
	}
	return lines
}

var levels = []rune(" ▁▂▃▄▅▆▇█")

// history draws how many Pods there were and how many were available, from the start of the recording to
// the cursor; what comes later stays unseen.
func (p rollout) history(w *recording.Workload) []string {
	cells := p.Width - rulerLabel - 21
	if cells < 12 {
		return nil
	}
	top := max(p.Replicas, 1)
	for _, point := range w.Series {
		top = max(top, point.Total)
	}
	var total, available strings.Builder
	axis := p.axis()
	for i := range cells {
		from, _ := axis.Time(float64(i) / float64(cells))
		if from > p.Now {
			break
		}
		to, _ := axis.Time(float64(i+1) / float64(cells))
		point := w.PointAt(min(to, p.Now))
		total.WriteRune(level(point.Total, top))
		available.WriteRune(level(point.Available, top))
	}
	pad := func(text string) string { return frame.Fit(text, cells) }
	return []string{
		frame.Ends(frame.Fit("history", rulerLabel)+p.Theme.Ready.Render(pad(available.String())), "available", p.Width),
		frame.Ends(frame.Fit("", rulerLabel)+p.Theme.Now.Render(pad(total.String())), "pods", p.Width),
	}
}

func level(count, top int) rune {
	i := count * (len(levels) - 1) / top
	if i == 0 && count > 0 {
		i = 1
	}
	return levels[min(i, len(levels)-1)]
}
