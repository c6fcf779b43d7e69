package scene

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Loop is one sync of a controller: what triggered it, how its key stood in the queue, what it read from its caches, what it decided
// and wrote, and whether its key comes back.
type Loop struct {
	// Hidden says why there is nothing to see; everything else is empty then.
	Hidden string `json:"hidden,omitempty"`
	// Actor is the controller, Number the number of the sync among Of.
	Actor  string `json:"actor,omitempty"`
	Number int    `json:"number,omitempty"`
	Of     int    `json:"of,omitempty"`
	// Stages are its parts, in their order.
	Stages []Stage `json:"stages,omitempty"`
}

// Stage is a part of a sync.
type Stage struct {
	Name string `json:"name"`
	// Tone is ready for a stage that is over, now for the one of the record, and dim for one that is still to come.
	Tone  palette.Tone `json:"tone"`
	Lines []Line       `json:"lines"`

	explanation *arithmetic.Explanation
}

// Decision is the arithmetic as lines of so many columns; empty if the stage has none, or if it is not explained.
func (s *Stage) Decision(width int) []string {
	if s.explanation == nil {
		return nil
	}
	return s.explanation.Text(width)
}

// Line is a text with a tone.
type Line struct {
	Text string       `json:"text"`
	Tone palette.Tone `json:"tone,omitempty"`
}

// stageNames are those of the stages, in the order of recording.Stage.
var stageNames = []string{"trigger", "queue", "read", "decide", "write", "done"}

// Loop is the sync of the record, or else the last one before it.
func (b *Beat) Loop() *Loop {
	sync := b.Rec.SyncAt(b.Seq)
	if sync == nil {
		return &Loop{Hidden: "No controller has started a sync yet."}
	}
	l := &Loop{Actor: sync.Actor, Number: sync.Number, Of: sync.Of}
	now := sync.Stage(b.Seq)
	stages := [][]Line{b.triggered(sync), b.queued(sync), b.read(sync), nil, b.wrote(sync), b.done(sync)}
	for i, name := range stageNames {
		stage := Stage{Name: name, Tone: palette.Dim, Lines: stages[i]}
		at := recording.Stage(i)
		switch {
		case at == now:
			stage.Tone = palette.Now
		case at < now, at == recording.StageDecide && now == recording.StageRead:
			stage.Tone = palette.Ready
		}
		if at == recording.StageDecide {
			stage.Lines, stage.explanation = b.decides(sync)
		}
		l.Stages = append(l.Stages, stage)
	}
	return l
}

func (b *Beat) triggered(sync *recording.Sync) []Line {
	reason := b.Rec.Because(b.Rec.Record(sync.Start))
	if b.Asked {
		// What the sync before came to is what questions ask for.
		reason.Retry = ""
	}
	trigger := reason.Brief()
	if trigger == "" {
		trigger = "not recorded"
	}
	if watch := b.Rec.Record(sync.Trigger); watch != nil && watch.Watch != nil && watch.Watch.Written != 0 {
		trigger += ", " + recording.Short(watch.At-watch.Watch.Written) + " after the write"
	}
	return []Line{{Text: trigger}}
}

func (b *Beat) queued(sync *recording.Sync) []Line {
	wait := "a worker took it immediately"
	if sync.Waited > 0 {
		wait = "waited " + recording.Short(sync.Waited)
	}
	return []Line{{Text: sync.Key + ": " + wait}}
}

// read tells what the caches showed, and where that was behind the store.
func (b *Beat) read(sync *recording.Sync) (lines []Line) {
	for _, read := range sync.Reads {
		lines = append(lines, ReadLine(read))
	}
	if len(lines) == 0 {
		return []Line{{"nothing from its caches", palette.Dim}}
	}
	return lines
}

// ReadLine describes a look into a cache. Its tone is pending if the cache was behind the store.
func ReadLine(read recording.CacheRead) Line {
	switch {
	case read.Items != "":
		return Line{Text: read.Items + " " + read.Name + " from its cache"}
	case read.Cache == "" && read.Store == "" || read.Cache == "" && read.Store == "gone" && read.Behind == 0:
		return Line{Text: read.Name + ": not found"}
	case read.Cache == "":
		return Line{read.Name + ": not in the cache yet; the store has rv " + read.Store, palette.Pending}
	case read.Behind > 0:
		store := "rv " + read.Store
		if read.Store == "gone" {
			store = "no such object"
		}
		return Line{read.Name + " rv " + read.Cache + ": STALE; the store has " + store + ", " + strconv.Itoa(read.Behind) + " behind",
			palette.Pending}
	}
	return Line{Text: read.Name + " rv " + read.Cache + ", same as the store"}
}

// mostMessages is how many messages of a controller stand for a decision that is not explained.
const mostMessages = 4

// decides tells the decision: as far as it is explained, else by what the controller said and wrote.
func (b *Beat) decides(sync *recording.Sync) ([]Line, *arithmetic.Explanation) {
	switch e := b.History.Explained(sync.Start); {
	case b.Conceals(sync.Start):
		return []Line{{"what it decides is part of the question", palette.Dim}}, nil
	case sync.Stale:
		return []Line{{"nothing yet: its cache does not contain the controller's own last write", palette.Pending}}, nil
	case e != nil && e.Deferred:
		return []Line{{e.Verdict, palette.Dim}}, nil
	case e != nil:
		return []Line{{Text: e.Verdict}}, e
	}
	var lines []Line
	for _, seq := range sync.Messages {
		row := b.Rec.Row(seq)
		lines = append(lines, Line{Text: strings.TrimSpace(row.Object + " " + row.Detail)})
	}
	switch more := len(lines) - mostMessages; {
	case len(lines) == 0 && len(sync.Requests) == 0:
		lines = []Line{{Text: "there is nothing to do"}}
	case len(lines) == 0:
		for _, seq := range sync.Requests {
			row := b.Rec.Row(seq)
			lines = append(lines, Line{Text: "to " + row.Verb + " " + row.Object})
		}
	case more > 0:
		lines = append(lines[:mostMessages:mostMessages], Line{Text: fmt.Sprintf("and %d more", more)})
	}
	return lines, nil
}

func (b *Beat) wrote(sync *recording.Sync) (lines []Line) {
	conceals := b.Conceals(sync.Start)
	for _, seq := range sync.Requests {
		if seq > b.Seq && conceals {
			break
		}
		row := b.Rec.Row(seq)
		line := Line{Text: row.Verb + " " + row.Object}
		if row.Detail != "" {
			line.Text += ": " + row.Detail
		}
		switch {
		case trace.IsError(b.Rec.Record(seq)):
			line.Tone = palette.Failed
		case seq == b.Seq:
			line.Text, line.Tone = "▸ "+line.Text, palette.Now
		case seq > b.Seq:
			line.Tone = palette.Dim
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		return []Line{{"nothing", palette.Dim}}
	}
	return lines
}

// done tells how the sync ended and whether the key comes back.
func (b *Beat) done(sync *recording.Sync) []Line {
	switch {
	case sync.End > b.Seq && b.Conceals(sync.Start):
		return []Line{{"not yet", palette.Dim}}
	case sync.End == 0:
		return []Line{{"not before the end of the recording", palette.Dim}}
	}
	text := sync.Outcome
	if sync.Took > 0 {
		text += " in " + recording.Short(sync.Took)
	}
	lines := []Line{{Text: text}}
	if sync.Error != "" && !sync.Stale {
		lines = append(lines, Line{Text: sync.Error})
	}
	back := b.Rec.At(sync.Back)
	switch {
	case sync.Back > b.Seq && b.Rec.AsksBefore(back, b.Seq):
		text = "the sync requeued its key"
	case sync.Back != 0:
		text = "the key is queued again at " + trace.Seconds(back) + ", " + recording.Short(back-b.Rec.At(sync.End)) +
			" later, because this sync requeued it"
	case sync.Requeued:
		text = "the sync requeued its key, and an event brought it back before"
	default:
		text = "the key leaves the queue until a watch event queues it again"
	}
	return append(lines, Line{Text: text})
}
