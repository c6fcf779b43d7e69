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
type Loop struct{}

// Title implements Pane.
func (Loop) Title(m Moment, t *theme.Theme) (name, detail string) {
	if turn := m.Rec.TurnAt(m.Seq); turn != nil {
		return "Loop: " + turn.Actor, t.Dim.Render(fmt.Sprintf("  sync %d of %d, s S others", turn.Number, turn.Of))
	}
	return "Loop", ""
}

// Render implements Pane.
func (Loop) Render(m Moment, c Canvas) []string {
	p := loop{m, c}
	turn := m.Rec.TurnAt(m.Seq)
	if turn == nil {
		return []string{"", "No controller has begun a sync yet: s goes to the first."}
	}
	return append([]string{p.pipeline(turn), ""}, p.lines(turn)...)
}

// loop is a turn that is being drawn.
type loop drawing

var stages = []string{"trigger", "queue", "read", "decide", "write", "done"}

// pipeline draws the stages in a row; those that are over are bright, the current one is marked.
func (p loop) pipeline(turn *recording.Turn) string {
	now := turn.Stage(p.Seq)
	arrow := " ─▶ "
	if p.Width < 60 {
		arrow = " ▶ "
	}
	var parts []string
	for i, name := range stages {
		parts = append(parts, p.mark(recording.Stage(i), now, name))
	}
	return strings.Join(parts, p.Theme.Dim.Render(arrow))
}

// mark is a stage's name as it looks at this record.
func (p loop) mark(stage, now recording.Stage, name string) string {
	reached := stage <= now || stage == recording.StageDecide && now == recording.StageRead
	switch {
	case stage == now:
		return p.Theme.Now.Render("[" + name + "]")
	case reached:
		return p.Theme.Ready.Render(name)
	}
	return p.Theme.Dim.Render(name)
}

const stageLabel = 9

// part writes what belongs to a stage behind its name.
func (p loop) part(name string, style lipgloss.Style, texts ...string) []string {
	var lines []string
	for _, text := range texts {
		for _, line := range frame.Wrap(text, p.Width-stageLabel, 2) {
			lines = append(lines, p.Theme.Title.Render(frame.Fit(name, stageLabel))+style.Render(line))
			name = ""
		}
	}
	return append(lines, "")
}

func (p loop) lines(turn *recording.Turn) []string {
	plain := lipgloss.NewStyle()
	start := p.Rec.Record(turn.Start)
	trigger := p.Rec.Because(start)
	if trigger == "" {
		trigger = "not recorded"
	}
	if watch := p.Rec.Record(turn.Trigger); watch != nil && watch.Watch != nil && watch.Watch.Written != 0 {
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
func (p loop) reads(turn *recording.Turn) []string {
	if len(turn.Reads) == 0 {
		return p.part("read", p.Theme.Dim, "nothing from its caches")
	}
	var lines []string
	label := "read"
	for _, read := range turn.Reads {
		text, stale := readText(read)
		style := lipgloss.NewStyle()
		if stale {
			style = p.Theme.Pending
		}
		part := p.part(label, style, text)
		lines, label = append(lines, part[:len(part)-1]...), ""
	}
	return append(lines, "")
}

// decided tells the decision: as far as it is explained, else by what the controller said and wrote.
func (p loop) decided(turn *recording.Turn) []string {
	if e := explain.At(p.Rec, turn.Start); e != nil && !turn.Stale {
		var lines []string
		for i, line := range e.Text(p.Width - stageLabel) {
			label := ""
			if i == 0 {
				label = "decide"
			}
			lines = append(lines, p.Theme.Title.Render(frame.Fit(label, stageLabel))+line)
		}
		return append(lines, "")
	}
	if turn.Stale {
		return p.part("decide", p.Theme.Pending, "nothing yet: its cache has not seen what the controller itself wrote last")
	}
	var texts []string
	for _, seq := range turn.Told {
		row := p.Rec.Row(seq)
		texts = append(texts, strings.TrimSpace(row.Object+" "+row.Detail))
	}
	const most = 4
	switch more := len(texts) - most; {
	case len(texts) == 0 && len(turn.Requests) == 0:
		texts = []string{"there is nothing to do"}
	case len(texts) == 0:
		for _, seq := range turn.Requests {
			row := p.Rec.Row(seq)
			texts = append(texts, "to "+row.Verb+" "+row.Object)
		}
	case more > 0:
		texts = append(texts[:most:most], fmt.Sprintf("and %d more", more))
	}
	return p.part("decide", lipgloss.NewStyle(), texts...)
}

func (p loop) wrote(turn *recording.Turn) []string {
	if len(turn.Requests) == 0 {
		return p.part("write", p.Theme.Dim, "nothing")
	}
	var lines []string
	label := "write"
	for _, seq := range turn.Requests {
		row := p.Rec.Row(seq)
		text := row.Verb + " " + row.Object
		if row.Detail != "" {
			text += ": " + row.Detail
		}
		style := lipgloss.NewStyle()
		switch {
		case recording.IsError(p.Rec.Record(seq)):
			style = p.Theme.Failed
		case seq == p.Seq:
			style, text = p.Theme.Now, "▸ "+text
		case seq > p.Seq:
			style = p.Theme.Dim
		}
		part := p.part(label, style, text)
		lines, label = append(lines, part[:len(part)-1]...), ""
	}
	return append(lines, "")
}

// done tells how the sync ended and whether the key comes back.
func (p loop) done(turn *recording.Turn) []string {
	if turn.End == 0 {
		return p.part("done", p.Theme.Dim, "not before the end of the recording")
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
		texts = append(texts, "the key comes back at "+trace.Seconds(p.Rec.At(turn.Back))+
			", "+recording.Short(p.Rec.At(turn.Back)-p.Rec.At(turn.End))+" later, because this sync asked for it")
	case turn.Requeued:
		texts = append(texts, "the key asked for another turn, and an event brought it back before")
	default:
		texts = append(texts, "the key is out of the queue until an event brings it back")
	}
	return p.part("done", lipgloss.NewStyle(), texts...)
}
