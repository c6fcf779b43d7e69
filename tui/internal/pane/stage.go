package pane

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// Stage shows a workload to a room: each Pod as a block that is legible from the last row, the bounds of the
// rollout, and one sentence. Everything else is left to the voice of who presents.
type Stage struct{}

// Title implements Pane: it has no border.
func (Stage) Title(Moment, *theme.Theme) (name, detail string) { return "", "" }

// Render implements Pane.
func (Stage) Render(m Moment, c Canvas) []string {
	c.Width -= borderWidth
	if left, right, ok := m.pair(); ok {
		lines := m.rollouts(left, right, c)
		for i := range lines {
			lines[i] = "  " + lines[i]
		}
		return lines
	}
	w, s := m.state()
	p := stage{rollout{drawing: drawing{m, c}}}
	var lines []string
	switch {
	case w == nil:
		lines = p.last()
	case !s.Exists:
		lines = append([]string{"", p.Theme.Title.Render(w.Kind + " " + w.Object.Name), ""}, p.last()...)
	default:
		lines = p.scene(w, s)
	}
	for i := range lines {
		lines[i] = "  " + lines[i]
	}
	return lines
}

// stage draws with what draws a rollout, only larger.
type stage struct{ rollout }

// scene is the workload as a picture, and below it what happened last.
func (p stage) scene(w *recording.Workload, s recording.State) []string {
	head := p.Theme.Title.Render(w.Kind + " " + w.Object.Name)
	if s.Bound != nil && p.Question() == nil {
		head += fmt.Sprintf("   at least %d available, at most %d Pods", s.Bound.Least, s.Bound.Most)
	}
	sections := []section{{8, []string{"", head}}}
	if w.Kind != "Job" {
		sections = append(sections, section{3, []string{""}}, section{6, p.tall(p.ruler(s))})
	}
	for _, g := range shown(s.Groups) {
		sections = append(sections, section{2, []string{""}}, section{9, p.blocks(w, g)})
	}
	sections = append(sections, section{1, append([]string{""}, p.legend(s)...)})
	said := p.now(w, stageWords)
	for i := range said {
		said[i] = frame.Cut(said[i], rulerLabel, p.Width)
	}
	sections = append(sections, section{4, []string{""}}, section{7, append(said, p.last()...)})
	return fitSections(sections, p.Height)
}

// tall draws each bar of the ruler in two lines.
func (p stage) tall(ruler []string) []string {
	if p.Height < tallStage {
		return ruler
	}
	lines := ruler[:1:1]
	for _, bar := range ruler[1:3] {
		lines = append(lines, bar, p.upper(bar), "")
	}
	return lines
}

// upper is a bar without its words.
func (p stage) upper(bar string) string {
	return strings.Repeat(" ", rulerLabel) + frame.Cut(bar, rulerLabel, p.Width-20)
}

// tallStage is the height from which on there is room for large bars.
const tallStage = 28

// stageWords is how many lines of a room's screen the sentence may take.
const stageWords = 3

// The size of a Pod's block.
const blockWidth, blockHeight = 5, 3

// blocks draws a ReplicaSet, or all Pods of a workload that has none, as a row of blocks.
func (p stage) blocks(w *recording.Workload, g recording.Group) []string {
	head := ""
	if w.Kind == "Deployment" || w.Kind == "ReplicaSet" {
		head = p.Theme.Title.Render(shortImage(g.Image, 20)) + p.Theme.Dim.Render("  "+g.Object.Name) +
			fmt.Sprintf("   %d wanted, %d ready", g.Spec, g.Ready)
	} else {
		head = fmt.Sprintf("%d wanted, %d ready", g.Spec, g.Ready)
	}
	if len(g.Cells) == 0 {
		return []string{head, p.Theme.Dim.Render("no Pods")}
	}
	if len(g.Cells)*blockWidth > p.Width {
		return []string{head, p.cells(g.Cells, len(g.Cells), p.Width)}
	}
	rows := make([]string, blockHeight)
	places := ""
	for _, c := range g.Cells {
		style := phaseStyles[c.Phase](p.Theme)
		for i, part := range block(c.Phase) {
			rows[i] += style.Render(part) + " "
		}
		places += frame.Fit(frame.Middle(c.Place, blockWidth-1), blockWidth)
	}
	lines := append([]string{head}, rows...)
	if strings.TrimSpace(places) != "" {
		lines = append(lines, p.Theme.Dim.Render(places))
	}
	return lines
}

// block is a Pod in large: the further it is, the fuller.
func block(phase recording.Phase) []string {
	mark := phase.Mark()
	switch phase {
	case recording.Absent:
		return []string{"    ", "    ", "    "}
	case recording.Available, recording.Succeeded:
		return []string{"████", "█" + mark + mark + "█", "████"}
	case recording.Ready:
		return []string{"▓▓▓▓", "▓" + mark + mark + "▓", "▓▓▓▓"}
	case recording.Running:
		return []string{"▒▒▒▒", "▒" + mark + mark + "▒", "▒▒▒▒"}
	case recording.Terminating, recording.Failed:
		return []string{"╲  ╱", " " + mark + mark + " ", "╱  ╲"}
	}
	return []string{"┌┄┄┐", "┆" + mark + mark + "┆", "└┄┄┘"}
}

// last is the record at the cursor as a sentence.
func (p stage) last() []string {
	row := p.Rec.Row(p.Seq)
	record := p.Rec.Record(p.Seq)
	if record == nil || record.Note != nil || record.Ask != nil || record.Answer != nil {
		return nil
	}
	text := strings.Join(strings.Fields(row.Actor+" "+row.Verb+" "+row.Object), " ")
	if record.Action != nil {
		text = "now: " + row.Object
	}
	if row.Detail != "" && record.Sync == nil {
		text += ": " + row.Detail
	}
	style := lipgloss.NewStyle()
	switch {
	case recording.IsError(record):
		style = p.Theme.Failed
	case record.Action != nil:
		style = p.Theme.Note
	}
	return []string{style.Render(frame.Fit(trace.Seconds(row.At)+"  "+text, p.Width))}
}
