package pane

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/frame"
	"github.com/kubestep/kubestep/tui/theme"
)

// Rollout shows one workload at the cursor: between which bounds it is, and its Pods.
type Rollout struct {
	base
	// Workload is the index of the one that is shown, Row the group in it that is selected.
	workload, selected int
	// now is at or after the time of the cursor: what waits for a time changes without a record.
	now time.Duration
	// heading stands in the place of the workload's name where two runs are compared.
	heading string
}

// NewRollout returns the pane.
func NewRollout(rec *recording.Recording, t *theme.Theme) *Rollout {
	return &Rollout{base: base{rec: rec, theme: t}}
}

// SetHeading says in words which of several runs is shown.
func (p *Rollout) SetHeading(text string) { p.heading = text }

// SetNow sets the virtual time.
func (p *Rollout) SetNow(at time.Duration) { p.now = at }

// Select shows a workload, and marks one of its rows.
func (p *Rollout) Select(workload, row int) { p.workload, p.selected = workload, row }

// State is the shown workload at the cursor.
func (p *Rollout) State() (*recording.Workload, recording.State) {
	workloads := p.rec.Workloads()
	if p.workload >= len(workloads) {
		return nil, recording.State{}
	}
	w := workloads[p.workload]
	return w, w.At(p.cursor, p.now)
}

// Rows are the objects that can be selected: the workload, then its ReplicaSets.
func (p *Rollout) Rows() []trace.Object {
	w, s := p.State()
	if w == nil {
		return nil
	}
	rows := []trace.Object{w.Object}
	if w.Kind == "Deployment" {
		for _, g := range shown(s.Groups) {
			rows = append(rows, g.Object)
		}
	}
	return rows
}

// Render draws the pane with its border.
func (p *Rollout) Render() []string {
	width, height := p.width, p.height
	inner := *p
	inner.width, inner.height = width-4, height-2
	w, s := inner.State()
	title := "Rollout"
	var lines []string
	switch {
	case w == nil:
		lines = []string{"", "This recording has no Deployment, StatefulSet, DaemonSet or Job.", "", "5 shows its trace, 4 its objects."}
	default:
		name := w.Object.Name
		if w.Object.Namespace != "" {
			name = w.Object.Namespace + "/" + name
		}
		title = p.theme.Title.Render(w.Kind + " " + name)
		if n := len(p.rec.Workloads()); n > 1 {
			title += p.theme.Dim.Render(fmt.Sprintf("  %d of %d, [ ] others", p.workload+1, n))
		}
		lines = inner.lines(w, s)
	}
	if p.heading != "" {
		title = p.theme.Title.Render(p.heading)
	}
	return frame.Box(title, lines, width, height, p.theme.Dim)
}

func (p *Rollout) lines(w *recording.Workload, s recording.State) []string {
	if !s.Exists {
		if p.cursor < w.Born() {
			return []string{"", "It does not exist yet. It will be created at " + trace.Seconds(p.rec.At(w.Born())) + "."}
		}
		return []string{"", "It is gone."}
	}
	sections := []section{{8, []string{p.about(w, s)}}, {2, []string{""}}}
	if w.Kind != "Job" {
		sections = append(sections, section{10, p.ruler(s)}, section{4, p.history(w, s)})
	}
	sections = append(sections, section{1, []string{""}}, section{11, p.groups(w, s)}, section{9, p.decided(w)})
	if conditions := p.conditions(s); len(conditions) > 0 {
		sections = append(sections, section{0, []string{""}}, section{3, conditions})
	}
	sections = append(sections, section{-1, []string{""}}, section{5, p.legend(s)})
	return fitSections(sections, p.height)
}

// decided tells what the controller made of it when it looked last.
func (p *Rollout) decided(w *recording.Workload) []string {
	if w.Kind != "Deployment" {
		return nil
	}
	e := explain.Last(p.rec, w, p.cursor)
	if e == nil {
		return nil
	}
	lines := frame.Wrap(briefly(e), p.width-rulerLabel, 0)
	if more := len(lines) - decidedLines; more > 0 {
		lines = append(lines[:decidedLines-1], frame.Fit(strings.Join(lines[decidedLines-1:], " "), p.width-rulerLabel))
	}
	for i := range lines {
		label := ""
		if i == 0 {
			label = "decided"
		}
		lines[i] = frame.Fit(label, rulerLabel) + p.theme.Now.Render(lines[i])
	}
	return lines
}

// briefly is a verdict without the answer to a request that was refused: the controller tries again at once, and
// Math has the whole of it.
func briefly(e *explain.Explanation) string {
	text := e.Verdict
	if e.Refused != "" {
		text, _, _ = strings.Cut(text, "; then ")
		text, _, _ = strings.Cut(text, "; but the request to ")
	}
	return text
}

// decidedLines is how many lines the last decision may take.
const decidedLines = 2

// legend explains the glyphs of the Pods that there are now.
func (p *Rollout) legend(s recording.State) []string {
	there := map[recording.Phase]bool{}
	for _, g := range s.Groups {
		for _, c := range g.Cells {
			there[c.Phase] = true
		}
	}
	text := ""
	for phase := recording.Pending; phase <= recording.Succeeded; phase++ {
		if there[phase] {
			text += p.glyph(phase) + p.theme.Dim.Render(" "+glyphs[phase].word+"   ")
		}
	}
	return []string{text}
}

// about is the line of what was asked for.
func (p *Rollout) about(w *recording.Workload, s recording.State) string {
	var parts []string
	if s.Strategy != "" {
		parts = append(parts, s.Strategy)
	}
	if b := s.Bound; b != nil {
		parts = append(parts, "maxSurge "+resolved(b.Surge, b.SurgePods), "maxUnavailable "+resolved(b.Unavailable, b.UnavailablePods))
	}
	parts = append(parts, s.Facts...)
	if s.Paused {
		parts = append(parts, "PAUSED")
	}
	if s.Revision != "" && w.Kind != "Deployment" {
		parts = append(parts, "revision "+s.Revision)
	}
	if s.Observed != s.Generation && w.Kind != "Job" {
		parts = append(parts, p.theme.Pending.Render(fmt.Sprintf("generation %d not yet observed", s.Generation)))
	}
	return strings.Join(parts, " · ")
}

// resolved writes a percentage with what it comes to.
func resolved(written string, pods int) string {
	if written == fmt.Sprint(pods) {
		return written
	}
	return fmt.Sprintf("%s = %d", written, pods)
}

func (p *Rollout) conditions(s recording.State) []string {
	var lines []string
	for _, c := range s.Conditions {
		style := p.theme.Ready
		if c.Status != "True" {
			style = p.theme.Pending
		}
		lines = append(lines, frame.Fit(c.Type, rulerLabel+2)+style.Render(frame.Fit(c.Status, 7))+" "+c.Reason)
	}
	return lines
}

var levels = []rune(" ▁▂▃▄▅▆▇█")

// history draws how many Pods there were and how many were available, from the start of the recording to
// the cursor; what comes later stays unseen.
func (p *Rollout) history(w *recording.Workload, s recording.State) []string {
	cells := p.width - rulerLabel - 21
	if cells < 12 {
		return nil
	}
	top := max(s.Replicas, 1)
	for _, point := range w.Series {
		top = max(top, point.Total)
	}
	var total, available strings.Builder
	for i := range cells {
		from, _ := p.rec.Axis().Time(float64(i) / float64(cells))
		if from > p.now {
			break
		}
		to, _ := p.rec.Axis().Time(float64(i+1) / float64(cells))
		point := w.PointAt(min(to, p.now))
		total.WriteRune(level(point.Total, top))
		available.WriteRune(level(point.Available, top))
	}
	pad := func(text string) string { return frame.Fit(text, cells) }
	return []string{
		frame.Ends(frame.Fit("history", rulerLabel)+p.theme.Ready.Render(pad(available.String())), "available", p.width),
		frame.Ends(frame.Fit("", rulerLabel)+p.theme.Now.Render(pad(total.String())), "pods", p.width),
	}
}

func level(count, top int) rune {
	i := count * (len(levels) - 1) / top
	if i == 0 && count > 0 {
		i = 1
	}
	return levels[min(i, len(levels)-1)]
}
