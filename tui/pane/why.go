package pane

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/frame"
	"github.com/kubestep/kubestep/tui/theme"
)

// Why tells about the record at the cursor: what it is, what led to it, and what the sync that it belongs
// to read and did.
type Why struct {
	base
	scroll int
	// next is the record that follows, and now the virtual time.
	next int64
	now  time.Duration
}

// NewWhy returns the pane.
func NewWhy(rec *recording.Recording, t *theme.Theme) *Why {
	return &Why{base: base{rec: rec, theme: t}}
}

// SetScroll leaves out that many lines at the top.
func (p *Why) SetScroll(n int) { p.scroll = n }

// SetNext sets which record follows, and the virtual time.
func (p *Why) SetNext(seq int64, now time.Duration) { p.next, p.now = seq, now }

// A wait that is shorter than this is nothing to wonder about, and what ends it is told only where there is room.
const (
	shortWait = 200 * time.Millisecond
	roomForIt = 12
)

// then tells what ends a wait: it answers why nothing more happens.
func (p *Why) then() []string {
	wait := p.rec.At(p.next) - p.now
	if p.next == 0 || wait < shortWait || p.height < roomForIt {
		return nil
	}
	row := p.rec.Row(p.next)
	text := strings.Join(strings.Fields(row.Actor+" "+row.Verb+" "+row.Object), " ")
	switch record := p.rec.Record(p.next); {
	case record.Note != nil, record.Ask != nil:
		text = "a note of the scenario"
	case record.Answer != nil:
		text = "the answer"
	case record.Sync != nil:
		text += " (" + row.Detail + ")"
	case row.Detail != "":
		text += ": " + row.Detail
	}
	lines := p.styled(p.theme.Pending.Render, "Waits. In "+recording.Short(wait)+": "+text)
	return lines[:min(len(lines), 4)]
}

// chainLimit is how many causes are told; c follows them further.
const chainLimit = 6

// Lines renders the pane without a border, as many lines as there are.
func (p *Why) Lines() []string {
	record := p.rec.Record(p.cursor)
	if record == nil {
		return nil
	}
	lines := p.heading(record)
	if e := explain.At(p.rec, p.cursor); e != nil && record.Sync != nil {
		lines = append(lines, p.styled(p.theme.Now.Render, "So: "+e.Verdict)...)
		lines = append(lines, p.theme.Dim.Render("m shows the sums"))
	}
	chain := p.rec.Chain(p.cursor, chainLimit)
	story := p.rec.SyncStory(p.cursor)
	if story == nil {
		return append(lines, p.chain("", chain)...)
	}
	// What is nearest to the record comes first: its own cause, then the sync, then what led to that.
	if len(chain) > 0 && p.rec.Record(p.cursor).Sync != nil {
		lines = append(lines, p.chain("", chain[:1])...)
		chain = chain[1:]
	} else if len(chain) > 0 && chain[0].Seq == story.Start {
		chain = chain[1:]
	}
	lines = append(append(lines, ""), p.sync(story)...)
	return append(lines, p.chain("what led to it", chain)...)
}

// Render draws the pane in a box.
func (p *Why) Render(title string) []string {
	inner := *p
	inner.width, inner.height = p.width-4, p.height-2
	lines := inner.Lines()
	then := inner.then()
	inner.height -= len(then)
	from := min(p.scroll, max(len(lines)-inner.height, 0))
	lines = lines[from:]
	if hidden := len(lines) - inner.height; hidden > 0 && inner.height > 1 {
		lines = append(lines[:inner.height-1:inner.height-1],
			p.theme.Dim.Render(fmt.Sprintf("… %d more lines: pgdn", hidden+1)))
	}
	return frame.Box(title, append(frame.Block(lines, inner.width, inner.height), then...), p.width, p.height, p.theme.Dim)
}

// heading is the record itself.
func (p *Why) heading(record *trace.Record) []string {
	row := p.rec.Row(record.Seq)
	switch {
	case record.Note != nil:
		return p.styled(p.theme.Note.Render, "A note of the scenario")
	case record.Ask != nil:
		return p.styled(p.theme.Note.Render, "A question of the scenario")
	case record.Answer != nil:
		return p.styled(p.theme.Note.Render, "The answer to the scenario's question")
	case record.Action != nil:
		lines := p.styled(p.theme.Note.Render, "Step of the scenario: "+row.Object)
		if record.Action.Error != "" {
			lines = append(lines, p.styled(p.theme.Failed.Render, "failed: "+record.Action.Error)...)
		}
		return lines
	case record.Check != nil && !record.Check.Passed:
		return p.styled(p.theme.Failed.Render, "Check "+record.Check.Name+" FAILED: "+record.Check.Message)
	}
	lines := p.styled(p.theme.Title.Render, strings.Join(strings.Fields(row.Actor+" "+row.Verb+" "+row.Object), " "))
	render := func(text ...string) string { return strings.Join(text, "") }
	if recording.IsError(record) {
		render = p.theme.Failed.Render
	}
	if record.Sync == nil && row.Detail != "" {
		lines = append(lines, p.styled(render, row.Detail)...)
	}
	if record.Request != nil && row.Outcome != "" {
		lines = append(lines, p.theme.Dim.Render(row.Outcome))
	}
	return lines
}

func (p *Why) styled(render func(...string) string, text string) []string {
	lines := frame.Wrap(text, p.width, 2)
	for i := range lines {
		lines[i] = render(lines[i])
	}
	return lines
}

// chain tells what led to the record, the nearest first.
func (p *Why) chain(heading string, links []recording.Link) []string {
	if len(links) == 0 {
		return nil
	}
	lines := []string{""}
	if heading != "" {
		lines = append(lines, p.theme.Title.Render(heading))
	}
	for _, link := range links {
		lines = append(lines, frame.Wrap("◂ "+link.Text, p.width, 2)...)
	}
	return lines
}

// sync tells what a sync read, sent, and came to.
func (p *Why) sync(story *recording.SyncStory) []string {
	head := "The sync of " + story.Key
	if p.rec.Record(p.cursor).Sync == nil {
		head = "In the sync of " + story.Key + " that began at " + trace.Seconds(p.rec.At(story.Start))
	}
	lines := p.styled(p.theme.Title.Render, head)
	for _, read := range story.Reads {
		lines = append(lines, p.read(read)...)
	}
	if story.End != 0 && len(story.Reads) == 0 {
		lines = append(lines, p.theme.Dim.Render("looked nothing up in its caches"))
	}
	for _, seq := range story.Requests {
		row := p.rec.Row(seq)
		mark := "  "
		if seq == p.cursor {
			mark = "▸ "
		}
		text := mark + row.Verb + " " + row.Object
		if row.Detail != "" {
			text += ": " + row.Detail
		}
		render := func(text ...string) string { return strings.Join(text, "") }
		switch {
		case recording.IsError(p.rec.Record(seq)):
			render = p.theme.Failed.Render
		case seq == p.cursor:
			render = p.theme.Now.Render
		}
		lines = append(lines, p.styled(render, text)...)
	}
	if story.End == 0 {
		return append(lines, p.theme.Dim.Render("goes on to the end of the recording"))
	}
	took := ""
	if story.Took > 0 {
		took = " in " + recording.Short(story.Took)
	}
	return append(lines, p.styled(p.theme.Title.Render, "So: "+story.Outcome+took)...)
}

// read tells about one look into a cache, and whether the cache was behind the store.
func (p *Why) read(read recording.SeenRead) []string {
	text, stale := readText(read)
	lines := frame.Wrap("  read "+text, p.width, 4)
	if stale {
		for i := range lines {
			lines[i] = p.theme.Pending.Render(lines[i])
		}
	}
	return lines
}

// readText words a look into a cache, and says whether the cache was behind the store.
func readText(read recording.SeenRead) (text string, stale bool) {
	switch {
	case read.Items != "":
		return read.Items + " " + read.Name + " from its cache", false
	case read.Cache == "" && read.Store == "" || read.Cache == "" && read.Store == "gone" && read.Behind == 0:
		return read.Name + ": not there", false
	case read.Cache == "":
		return read.Name + ": not in the cache yet, the store has rv " + read.Store, true
	case read.Behind > 0:
		return read.Name + " rv " + read.Cache + ": STALE, the store has " +
			storeText(read.Store) + ", " + strconv.Itoa(read.Behind) + " behind", true
	}
	return read.Name + " rv " + read.Cache + ", as the store", false
}

func storeText(rv string) string {
	if rv == "gone" {
		return "it no more"
	}
	return "rv " + rv
}
