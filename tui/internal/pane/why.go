package pane

import (
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// Why describes the record at the cursor: what it is, its causes, and what the sync that it belongs to read and did.
type Why struct{}

// Title implements Pane.
func (Why) Title(Moment, *theme.Theme) (name, detail string) { return "Why", "" }

// Render implements Pane. What ends a wait stays at the bottom when the rest is scrolled.
func (Why) Render(m Moment, c Canvas) []string {
	p := why{m, c}
	then := p.then()
	c.Height -= len(then)
	lines := c.scrolled(p.lines(), m.Scroll)
	if len(then) > 0 {
		lines = frame.Block(lines, c.Width, c.Height)
	}
	return append(lines, then...)
}

// why is an explanation that is being drawn.
type why drawing

// A wait that is shorter than this is nothing to wonder about, and what ends it is shown only where there is room.
const (
	shortWait = 200 * time.Millisecond
	roomForIt = 12
)

// then tells what ends a wait: it answers why nothing more happens.
func (p why) then() []string {
	next := p.next(p.Rec.Marks().Story)
	wait := p.Rec.At(next) - p.Now
	if next == 0 || wait < shortWait || p.Height < roomForIt {
		return nil
	}
	text, detail := p.foretold(next)
	switch {
	case p.Rec.Record(next).Sync != nil:
		text += " (" + detail + ")"
	case detail != "":
		text += ": " + detail
	}
	lines := p.styled(p.Theme.Pending.Render, "Waits. In "+recording.Short(wait)+": "+text)
	return lines[:min(len(lines), 4)]
}

// chainLimit is how many causes are shown; c follows them further.
const chainLimit = 6

// lines are all that there is to tell.
func (p why) lines() []string {
	record := p.Rec.Record(p.Seq)
	if record == nil {
		return nil
	}
	lines := p.heading(record)
	if record.Sync != nil {
		lines = append(lines, p.verdict()...)
	}
	chain := p.Rec.Chain(p.Seq, chainLimit)
	story := p.Rec.Sync(p.Seq)
	if story == nil {
		return append(append(lines, p.facts()...), p.chain("", chain)...)
	}
	// What is nearest to the record comes first: its own cause, then the sync, then what led to that.
	if len(chain) > 0 && p.Rec.Record(p.Seq).Sync != nil {
		lines = append(lines, p.chain("", chain[:1])...)
		chain = chain[1:]
	} else if len(chain) > 0 && chain[0].Seq == story.Start {
		chain = chain[1:]
	}
	lines = append(append(lines, ""), p.sync(story)...)
	return append(lines, p.chain("causes", chain)...)
}

// verdict is what a sync decides.
func (p why) verdict() []string {
	switch e := p.Scenes.History.Explained(p.Seq); {
	case e == nil, p.conceals(e.Start):
		return nil
	case e.Deferred:
		return p.styled(p.Theme.Dim.Render, e.Verdict)
	default:
		return append(p.styled(p.Theme.Now.Render, "So: "+e.Verdict), p.Theme.Dim.Render("m shows the arithmetic"))
	}
}

// heading is the record itself.
func (p why) heading(record *trace.Record) []string {
	row := p.Rec.Row(record.Seq)
	switch {
	case record.Note != nil:
		return p.styled(p.Theme.Note.Render, "A note of the scenario")
	case record.Ask != nil:
		return p.styled(p.Theme.Note.Render, "A question of the scenario")
	case record.Answer != nil:
		return p.styled(p.Theme.Note.Render, "The answer to the scenario's question")
	case record.Action != nil:
		lines := p.styled(p.Theme.Note.Render, "Step of the scenario: "+row.Object)
		if record.Action.Error != "" {
			lines = append(lines, p.styled(p.Theme.Failed.Render, "failed: "+record.Action.Error)...)
		}
		return lines
	case record.Check != nil && !record.Check.Passed:
		return p.styled(p.Theme.Failed.Render, "Check "+record.Check.Name+" FAILED: "+record.Check.Message)
	}
	lines := p.styled(p.Theme.Title.Render, subject(row))
	render := func(text ...string) string { return strings.Join(text, "") }
	if trace.IsError(record) {
		render = p.Theme.Failed.Render
	}
	if record.Sync == nil && row.Detail != "" {
		lines = append(lines, p.styled(render, row.Detail)...)
	}
	if record.Request != nil && row.Outcome != "" {
		lines = append(lines, p.Theme.Dim.Render(row.Outcome))
	}
	return lines
}

// facts tells what a kubelet found, and because of which it wrote the status of a Pod.
func (p why) facts() (lines []string) {
	for _, seq := range p.Scenes.History.FactsOf(p.Seq) {
		row := p.Rec.Row(seq)
		text := "◂ " + trace.Seconds(p.Rec.At(seq)) + " " + row.Verb + ": " + row.Detail
		if row.Outcome != "" {
			text += ", " + row.Outcome
		}
		lines = append(lines, frame.Wrap(text, p.Width, 2)...)
	}
	if len(lines) > 0 {
		lines = append([]string{"", p.Theme.Title.Render("what the kubelet found")}, lines...)
	}
	return lines
}

func (p why) styled(render func(...string) string, text string) []string {
	lines := frame.Wrap(text, p.Width, 2)
	for i := range lines {
		lines[i] = render(lines[i])
	}
	return lines
}

// chain tells what led to the record, the nearest first.
func (p why) chain(heading string, links []recording.Link) []string {
	if len(links) == 0 {
		return nil
	}
	lines := []string{""}
	if heading != "" {
		lines = append(lines, p.Theme.Title.Render(heading))
	}
	for _, link := range links {
		lines = append(lines, frame.Wrap("◂ "+link.Text, p.Width, 2)...)
	}
	return lines
}

// sync tells what a sync read, sent, and came to.
func (p why) sync(story *recording.Sync) []string {
	head := "The sync of " + story.Key
	if p.Rec.Record(p.Seq).Sync == nil {
		head = "In the sync of " + story.Key + " that started at " + trace.Seconds(p.Rec.At(story.Start))
	}
	lines := p.styled(p.Theme.Title.Render, head)
	for _, read := range story.Reads {
		lines = append(lines, p.read(read)...)
	}
	if story.End != 0 && len(story.Reads) == 0 {
		lines = append(lines, p.Theme.Dim.Render("read nothing from its caches"))
	}
	conceals := p.conceals(story.Start)
	for _, seq := range story.Requests {
		if seq > p.Seq && conceals {
			break
		}
		row := p.Rec.Row(seq)
		mark := "  "
		if seq == p.Seq {
			mark = "▸ "
		}
		text := mark + row.Verb + " " + row.Object
		if row.Detail != "" {
			text += ": " + row.Detail
		}
		render := func(text ...string) string { return strings.Join(text, "") }
		switch {
		case trace.IsError(p.Rec.Record(seq)):
			render = p.Theme.Failed.Render
		case seq == p.Seq:
			render = p.Theme.Now.Render
		}
		lines = append(lines, p.styled(render, text)...)
	}
	switch {
	case story.End > p.Seq && conceals:
		return append(lines, p.Theme.Dim.Render("has not ended yet"))
	case story.End == 0:
		return append(lines, p.Theme.Dim.Render("continues to the end of the recording"))
	}
	took := ""
	if story.Took > 0 {
		took = " in " + recording.Short(story.Took)
	}
	return append(lines, p.styled(p.Theme.Title.Render, "So: "+story.Outcome+took)...)
}

// read tells about one look into a cache, and whether the cache was behind the store.
func (p why) read(read recording.CacheRead) []string {
	line := scene.ReadLine(read)
	lines := frame.Wrap("  read "+line.Text, p.Width, 4)
	for i := range lines {
		lines[i] = p.Theme.Tone(line.Tone).Render(lines[i])
	}
	return lines
}
