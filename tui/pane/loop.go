package pane

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/frame"
	"github.com/kubestep/kubestep/tui/theme"
)

// Loop shows one turn of a reconcile loop: what triggered it, how its key stood in the queue, what it read
// from its caches, what it decided and wrote, and whether it comes back.
type Loop struct {
	base
}

// NewLoop returns the pane.
func NewLoop(rec *recording.Recording, t *theme.Theme) *Loop {
	return &Loop{base: base{rec: rec, theme: t}}
}

var stages = []string{"trigger", "queue", "read", "decide", "write", "done"}

// Render draws the pane, from a line on.
func (p *Loop) Render(scroll int) []string {
	turn := p.rec.TurnAt(p.cursor)
	if turn == nil {
		return frame.Box(p.theme.Title.Render("Loop"), []string{"", "No controller has begun a sync yet: s goes to the first."},
			p.width, p.height, p.theme.Dim)
	}
	inner := *p
	inner.width, inner.height = p.width-4, p.height-2
	title := p.theme.Title.Render("Loop: "+turn.Actor) +
		p.theme.Dim.Render(fmt.Sprintf("  sync %d of %d, s S others", turn.Number, turn.Of))
	lines := append([]string{inner.pipeline(turn), ""}, inner.lines(turn)...)
	from := min(scroll, max(len(lines)-inner.height, 0))
	return frame.Box(title, cutOff(lines[from:], inner.height, p.theme), p.width, p.height, p.theme.Dim)
}

// cutOff keeps as many lines as there is room for, and says how many more there are.
func cutOff(lines []string, height int, t *theme.Theme) []string {
	if more := len(lines) - height; more > 0 && height > 1 {
		return append(lines[:height-1:height-1], t.Dim.Render(fmt.Sprintf("… %d more lines: pgdn", more+1)))
	}
	return lines
}

// pipeline draws the stages in a row; those that are over are bright, the current one is marked.
func (p *Loop) pipeline(turn *recording.Turn) string {
	now := turn.Stage(p.cursor)
	arrow := " ─▶ "
	if p.width < 60 {
		arrow = " ▶ "
	}
	var parts []string
	for i, name := range stages {
		parts = append(parts, p.mark(recording.Stage(i), now, name))
	}
	return strings.Join(parts, p.theme.Dim.Render(arrow))
}

// mark is a stage's name as it looks at this record.
func (p *Loop) mark(stage, now recording.Stage, name string) string {
	reached := stage <= now || stage == recording.StageDecide && now == recording.StageRead
	switch {
	case stage == now:
		return p.theme.Now.Render("[" + name + "]")
	case reached:
		return p.theme.Ready.Render(name)
	}
	return p.theme.Dim.Render(name)
}

const stageLabel = 9

// part writes what belongs to a stage behind its name.
func (p *Loop) part(name string, style lipgloss.Style, texts ...string) []string {
	var lines []string
	for _, text := range texts {
		for _, line := range frame.Wrap(text, p.width-stageLabel, 2) {
			lines = append(lines, p.theme.Title.Render(frame.Fit(name, stageLabel))+style.Render(line))
			name = ""
		}
	}
	return append(lines, "")
}

func (p *Loop) lines(turn *recording.Turn) []string {
	plain := lipgloss.NewStyle()
	start := p.rec.Record(turn.Start)
	trigger := p.rec.Because(start)
	if trigger == "" {
		trigger = "not recorded"
	}
	if watch := p.rec.Record(turn.Trigger); watch != nil && watch.Watch != nil && watch.Watch.Written != 0 {
		trigger += ", " + recording.Short(watch.At-watch.Watch.Written) + " after the write"
	}
	lines := p.part("trigger", plain, trigger)
	wait := "a worker took it at once"
	if turn.Waited > 0 {
		wait = "it stood there for " + recording.Short(turn.Waited)
	}
	lines = append(lines, p.part("queue", plain, turn.Key+": "+wait)...)
	lines = append(lines, p.reads(turn)...)
	lines = append(lines, p.decided(turn)...)
	lines = append(lines, p.wrote(turn)...)
	return append(lines, p.done(turn)...)
}

// reads tells what the caches showed, and where that was behind the store.
func (p *Loop) reads(turn *recording.Turn) []string {
	if len(turn.Reads) == 0 {
		return p.part("read", p.theme.Dim, "nothing from its caches")
	}
	var lines []string
	label := "read"
	for _, read := range turn.Reads {
		text, stale := readText(read)
		style := lipgloss.NewStyle()
		if stale {
			style = p.theme.Pending
		}
		part := p.part(label, style, text)
		lines, label = append(lines, part[:len(part)-1]...), ""
	}
	return append(lines, "")
}

// decided tells the decision: as far as it is explained, else by what the controller said and wrote.
func (p *Loop) decided(turn *recording.Turn) []string {
	if e := explain.At(p.rec, turn.Start); e != nil && !turn.Stale {
		var lines []string
		for i, line := range e.Text(p.width - stageLabel) {
			label := ""
			if i == 0 {
				label = "decide"
			}
			lines = append(lines, p.theme.Title.Render(frame.Fit(label, stageLabel))+line)
		}
		return append(lines, "")
	}
	if turn.Stale {
		return p.part("decide", p.theme.Pending, "nothing yet: its cache has not seen what the controller itself wrote last")
	}
	var texts []string
	for _, seq := range turn.Told {
		row := p.rec.Row(seq)
		texts = append(texts, strings.TrimSpace(row.Object+" "+row.Detail))
	}
	const most = 4
	switch more := len(texts) - most; {
	case len(texts) == 0 && len(turn.Requests) == 0:
		texts = []string{"there is nothing to do"}
	case len(texts) == 0:
		for _, seq := range turn.Requests {
			row := p.rec.Row(seq)
			texts = append(texts, "to "+row.Verb+" "+row.Object)
		}
	case more > 0:
		texts = append(texts[:most:most], fmt.Sprintf("and %d more", more))
	}
	return p.part("decide", lipgloss.NewStyle(), texts...)
}

func (p *Loop) wrote(turn *recording.Turn) []string {
	if len(turn.Requests) == 0 {
		return p.part("write", p.theme.Dim, "nothing")
	}
	var lines []string
	label := "write"
	for _, seq := range turn.Requests {
		row := p.rec.Row(seq)
		text := row.Verb + " " + row.Object
		if row.Detail != "" {
			text += ": " + row.Detail
		}
		style := lipgloss.NewStyle()
		switch {
		case recording.IsError(p.rec.Record(seq)):
			style = p.theme.Failed
		case seq == p.cursor:
			style, text = p.theme.Now, "▸ "+text
		case seq > p.cursor:
			style = p.theme.Dim
		}
		part := p.part(label, style, text)
		lines, label = append(lines, part[:len(part)-1]...), ""
	}
	return append(lines, "")
}

// done tells how the sync ended and whether the key comes back.
func (p *Loop) done(turn *recording.Turn) []string {
	if turn.End == 0 {
		return p.part("done", p.theme.Dim, "not before the end of the recording")
	}
	text := turn.Outcome
	if turn.Took > 0 {
		text += " in " + recording.Short(turn.Took)
	}
	texts := []string{text}
	if turn.Error != "" && !turn.Stale {
		texts = append(texts, turn.Error)
	}
	switch {
	case turn.Back != 0:
		texts = append(texts, "the key comes back at "+trace.Seconds(p.rec.At(turn.Back))+
			", "+recording.Short(p.rec.At(turn.Back)-p.rec.At(turn.End))+" later, because this sync asked for it")
	case turn.Requeued:
		texts = append(texts, "the key asked for another turn, and an event brought it back before")
	default:
		texts = append(texts, "the key is out of the queue until an event brings it back")
	}
	return p.part("done", lipgloss.NewStyle(), texts...)
}
