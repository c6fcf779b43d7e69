package pane

import (
	"strings"

	"github.com/charmbracelet/lipgloss"

	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// Room shows a workload to a room: each Pod as a block that is legible from the last row, the bounds of the
// rollout, and one sentence. Everything else is left to the voice of who presents.
type Room struct{}

// Title implements Pane: it has no border.
func (Room) Title(Moment, *theme.Theme) (name, detail string) { return "", "" }

// Render implements Pane.
func (Room) Render(m Moment, c Canvas) []string {
	c.Width -= borderWidth
	if left, right, ok := m.pair(); ok {
		lines := m.rollouts(left, right, c)
		for i := range lines {
			lines[i] = "  " + lines[i]
		}
		return lines
	}
	p := large{rollout{drawing: drawing{m, c}}}
	var lines []string
	if w := m.workload(); w == nil {
		lines = p.last()
	} else if p.Rollout = m.Beat().Rollout(w); p.Absent != "" {
		lines = append([]string{"", p.Theme.Title.Render(p.Rollout.Title), ""}, p.last()...)
	} else {
		lines = p.picture(w)
	}
	for i := range lines {
		lines[i] = "  " + lines[i]
	}
	return lines
}

// large draws with what draws a rollout, only larger.
type large struct{ rollout }

// picture is the workload, and below it what happened last.
func (p large) picture(w *recording.Workload) []string {
	head := p.Theme.Title.Render(p.Rollout.Title)
	if p.Bounds != "" {
		head += "   " + p.Bounds
	}
	sections := []section{{8, []string{"", head}}, {3, []string{""}}, {6, p.tall(p.ruler())}}
	for i := range p.Groups {
		sections = append(sections, section{2, []string{""}}, section{9, p.blocks(&p.Groups[i])})
	}
	sections = append(sections, section{1, append([]string{""}, p.legend()...)})
	said := p.said(w, roomWords)
	for i := range said {
		said[i] = frame.Cut(said[i], rulerLabel, p.Width)
	}
	sections = append(sections, section{4, []string{""}}, section{7, append(said, p.last()...)})
	return fitSections(sections, p.Height)
}

// tall draws each bar of the ruler in two lines.
func (p large) tall(ruler []string) []string {
	if p.Height < tallRoom || len(p.Posts) == 0 {
		return ruler
	}
	lines := ruler[:1:1]
	for _, bar := range ruler[1:3] {
		lines = append(lines, bar, p.upper(bar), "")
	}
	return lines
}

// upper is a bar without its words.
func (p large) upper(bar string) string {
	return strings.Repeat(" ", rulerLabel) + frame.Cut(bar, rulerLabel, p.Width-20)
}

// tallRoom is the height from which on there is room for large bars.
const tallRoom = 28

// roomWords is how many lines of a room's screen the sentence may take.
const roomWords = 3

// The size of a Pod's block.
const blockWidth, blockHeight = 5, 3

// blocks draws a ReplicaSet, or all Pods of a workload that has none, as a row of blocks.
func (p large) blocks(g *scene.Group) []string {
	head := g.Says
	if g.Name != "" {
		head = p.Theme.Title.Render(shortImage(g.Image, 20)) + p.Theme.Dim.Render("  "+g.Name) + "   " + head
	}
	if len(g.Pods) == 0 {
		return []string{head, p.Theme.Dim.Render("no Pods")}
	}
	if len(g.Pods)*blockWidth > p.Width {
		return []string{head, p.pods(g.Pods, len(g.Pods), p.Width)}
	}
	rows := make([]string, blockHeight)
	places := ""
	for n, phase := range g.Pods {
		style := p.Theme.Tone(phaseTones[phase])
		for i, part := range block(phase) {
			rows[i] += style.Render(part) + " "
		}
		if len(g.Places) > 0 {
			places += frame.Fit(frame.Middle(g.Places[n], blockWidth-1), blockWidth)
		}
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
func (p large) last() []string {
	row := p.Rec.Row(p.Seq)
	record := p.Rec.Record(p.Seq)
	if record == nil || record.Note != nil || record.Ask != nil || record.Answer != nil {
		return nil
	}
	text := subject(row)
	if record.Action != nil {
		text = "now: " + row.Object
	}
	if row.Detail != "" && record.Sync == nil {
		text += ": " + row.Detail
	}
	style := lipgloss.NewStyle()
	switch {
	case trace.IsError(record):
		style = p.Theme.Failed
	case record.Action != nil:
		style = p.Theme.Note
	}
	return []string{style.Render(frame.Fit(trace.Seconds(row.At)+"  "+text, p.Width))}
}
