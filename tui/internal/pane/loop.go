package pane

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// Loop shows one sync of a controller: what triggered it, how its key stood in the queue, what it read
// from its caches, what it decided and wrote, and whether it comes back.
type Loop struct{}

// Title implements Pane.
func (Loop) Title(m Moment, t *theme.Theme) (name, detail string) {
	if sync := m.Rec.SyncAt(m.Seq); sync != nil {
		return "Loop: " + sync.Actor, t.Dim.Render(fmt.Sprintf("  sync %d of %d, s S others", sync.Number, sync.Of))
	}
	return "Loop", ""
}

// Render implements Pane.
func (Loop) Render(m Moment, c Canvas) []string {
	p := loop{m, c}
	sync := m.Rec.SyncAt(m.Seq)
	if sync == nil {
		return []string{"", "No controller has started a sync yet: s goes to the first one."}
	}
	return append([]string{p.pipeline(sync), ""}, p.lines(sync)...)
}

// loop is a sync that is being drawn.
type loop drawing

var stages = []string{"trigger", "queue", "read", "decide", "write", "done"}

// pipeline draws the stages in a row; those that are over are bright, the current one is marked.
func (p loop) pipeline(sync *recording.Sync) string {
	now := sync.Stage(p.Seq)
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

func (p loop) lines(sync *recording.Sync) []string {
	plain := lipgloss.NewStyle()
	start := p.Rec.Record(sync.Start)
	trigger := p.Rec.Because(start).Brief()
	if trigger == "" {
		trigger = "not recorded"
	}
	if watch := p.Rec.Record(sync.Trigger); watch != nil && watch.Watch != nil && watch.Watch.Written != 0 {
		trigger += ", " + recording.Short(watch.At-watch.Watch.Written) + " after the write"
	}
	lines := p.part("trigger", plain, trigger)
	wait := "a worker took it immediately"
	if sync.Waited > 0 {
		wait = "waited " + recording.Short(sync.Waited)
	}
	lines = append(lines, p.part("queue", plain, sync.Key+": "+wait)...)
	lines = append(lines, p.reads(sync)...)
	lines = append(lines, p.decided(sync)...)
	lines = append(lines, p.wrote(sync)...)
	return append(lines, p.done(sync)...)
}

// reads tells what the caches showed, and where that was behind the store.
func (p loop) reads(sync *recording.Sync) []string {
	if len(sync.Reads) == 0 {
		return p.part("read", p.Theme.Dim, "nothing from its caches")
	}
	var lines []string
	label := "read"
	for _, read := range sync.Reads {
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
func (p loop) decided(sync *recording.Sync) []string {
	if p.conceals(sync.Start) {
		return p.part("decide", p.Theme.Dim, "what it decides is part of the question")
	}
	if e := explain.At(p.Rec, sync.Start); e != nil && !sync.Stale {
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
	if sync.Stale {
		return p.part("decide", p.Theme.Pending, "nothing yet: its cache does not contain the controller's own last write")
	}
	var texts []string
	for _, seq := range sync.Messages {
		row := p.Rec.Row(seq)
		texts = append(texts, strings.TrimSpace(row.Object+" "+row.Detail))
	}
	const most = 4
	switch more := len(texts) - most; {
	case len(texts) == 0 && len(sync.Requests) == 0:
		texts = []string{"there is nothing to do"}
	case len(texts) == 0:
		for _, seq := range sync.Requests {
			row := p.Rec.Row(seq)
			texts = append(texts, "to "+row.Verb+" "+row.Object)
		}
	case more > 0:
		texts = append(texts[:most:most], fmt.Sprintf("and %d more", more))
	}
	return p.part("decide", lipgloss.NewStyle(), texts...)
}

func (p loop) wrote(sync *recording.Sync) []string {
	conceals := p.conceals(sync.Start)
	if len(sync.Requests) == 0 || conceals && sync.Requests[0] > p.Seq {
		return p.part("write", p.Theme.Dim, "nothing")
	}
	var lines []string
	label := "write"
	for _, seq := range sync.Requests {
		if seq > p.Seq && conceals {
			break
		}
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
func (p loop) done(sync *recording.Sync) []string {
	if sync.End > p.Seq && p.conceals(sync.Start) {
		return p.part("done", p.Theme.Dim, "not yet")
	}
	if sync.End == 0 {
		return p.part("done", p.Theme.Dim, "not before the end of the recording")
	}
	text := sync.Outcome
	if sync.Took > 0 {
		text += " in " + recording.Short(sync.Took)
	}
	texts := []string{text}
	if sync.Error != "" && !sync.Stale {
		texts = append(texts, sync.Error)
	}
	switch {
	case sync.Back > p.Seq && p.Rec.AsksBefore(p.Rec.At(sync.Back), p.Seq):
		texts = append(texts, "the sync requeued its key")
	case sync.Back != 0:
		texts = append(texts, "the key is queued again at "+trace.Seconds(p.Rec.At(sync.Back))+
			", "+recording.Short(p.Rec.At(sync.Back)-p.Rec.At(sync.End))+" later, because this sync requeued it")
	case sync.Requeued:
		texts = append(texts, "the sync requeued its key, and an event brought it back before")
	default:
		texts = append(texts, "the key leaves the queue until a watch event queues it again")
	}
	return p.part("done", lipgloss.NewStyle(), texts...)
}
