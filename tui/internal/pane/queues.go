package pane

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// Queues shows what controllers do not know yet and what they still have to do: how far each informer's
// cache is behind the store, and the keys in each work queue.
type Queues struct{}

// Title implements Pane.
func (Queues) Title(_ Moment, t *theme.Theme) (name, detail string) {
	return "Queues", t.Dim.Render("  the keys to sync, and how stale the caches are")
}

// Render implements Pane.
func (Queues) Render(m Moment, c Canvas) []string {
	p := queues{m, c}
	return append(append(p.queues(), ""), p.caches()...)
}

// queues are the queues and caches that are being drawn.
type queues drawing

// narrowQueues is the width below which keys are only counted.
const narrowQueues = 72

// queues draws a line for each work queue; those in which nothing is are dim.
func (p queues) queues() []string {
	name, last := min(28, p.Width/4), 14
	each := (p.Width - name - last) / 3
	headings, again := []string{"in the queue", "syncing", "back-off", "syncs"}, ", %d again"
	if p.Width < narrowQueues {
		name, each, last = 18, 8, p.Width-18-24
		headings, again = []string{"queued", "syncing", "back-off", "syncs, again"}, ", %d"
	}
	line := func(a, queued, work, timer, syncs string) string {
		return frame.Fit(a, name) + frame.Fit(queued, each) + frame.Fit(work, each) + frame.Fit(timer, each) + frame.Right(syncs, last)
	}
	lines := []string{p.Theme.Dim.Render(line("controller", headings[0], headings[1], headings[2], headings[3]))}
	for _, q := range p.Rec.QueuesAt(p.Latest()) {
		label := ShortActor(q.Actor, name-1)
		if q.Queue != "" && !strings.HasPrefix(q.Actor, q.Queue) {
			label += " " + q.Queue
		}
		syncs := strconv.Itoa(q.Syncs)
		if q.Requeued > 0 {
			syncs += fmt.Sprintf(again, q.Requeued)
		}
		text := line(frame.Middle(label, name-1), p.keys(q.Waiting, each, "for "), p.keys(q.InWork, each, "for "),
			p.keys(q.Timers, each, "in "), syncs)
		switch {
		case len(q.InWork) > 0:
			text = p.Theme.Now.Render(text)
		case len(q.Waiting) > 0:
			text = p.Theme.Pending.Render(text)
		case len(q.Timers) == 0:
			text = p.Theme.Dim.Render(text)
		}
		lines = append(lines, text)
	}
	if len(lines) == 1 {
		lines = append(lines, "no controller has a queue in this recording")
	}
	return lines
}

// keys counts the keys, and names the first of them where there is room.
func (p queues) keys(keys []recording.QueuedKey, width int, word string) string {
	if len(keys) == 0 {
		return "-"
	}
	if p.Width < narrowQueues {
		return strconv.Itoa(len(keys))
	}
	wait := keys[0].At - p.Now
	if wait < 0 {
		wait = -wait
	}
	text := " " + word + recording.Short(wait)
	if wait < time.Millisecond || p.Rec.AsksBefore(keys[0].At, p.Seq) {
		text = ""
	}
	if n := keys[0].Retries; n > 0 {
		text += fmt.Sprintf(" retry %d", n)
	}
	if len(keys) > 1 {
		text = fmt.Sprintf(" +%d", len(keys)-1)
	}
	return frame.Middle(keys[0].Key, max(width-frame.Width(text)-1, 4)) + text
}

// namedChanges is how many changes under way are named of one informer.
const namedChanges = 4

// caches draws a line for each informer, and below it the changes that are between the store and its cache.
func (p queues) caches() []string {
	name, events := min(32, p.Width/3), 8
	if p.Width < narrowQueues {
		name, events = 20, 0
	}
	line := func(a, store, cache, count, behind string) string {
		return frame.Fit(a, name) + frame.Right(store, 9) + frame.Right(cache, 8) + frame.Right(count, events) + "   " + behind
	}
	lines := []string{p.Theme.Dim.Render(line("informer", "store rv", "cache", "events", "not seen yet"))}
	for _, s := range p.Rec.StreamsAt(p.Latest()) {
		cache, store := strconv.FormatUint(s.Cache, 10), strconv.FormatUint(s.Store, 10)
		if s.Cache == 0 {
			cache = "listed"
		}
		label := frame.Middle(strings.TrimPrefix(s.Name, "shared-informers/"), name-1)
		if len(s.UnderWay) == 0 {
			lines = append(lines, p.Theme.Dim.Render(line(label, store, cache, strconv.Itoa(s.Events), "-")))
			continue
		}
		behind := strings.Repeat("●", min(len(s.UnderWay), 12)) + fmt.Sprintf(" %d", len(s.UnderWay))
		if wait := s.At - p.Now; s.At > 0 && wait >= 0 && p.Width >= narrowQueues && !p.Rec.AsksBefore(s.At, p.Seq) {
			behind += ", the next one arrives in " + recording.Short(wait)
		}
		lines = append(lines, line(label, store, cache, strconv.Itoa(s.Events), p.Theme.Pending.Render(behind)))
		lines = append(lines, p.changes(s.UnderWay)...)
	}
	if len(lines) == 1 {
		lines = append(lines, "no informer received an event in this recording")
	}
	return lines
}

// changes names writes that a cache has not seen, and how old they are.
func (p queues) changes(writes []int64) []string {
	var lines []string
	for _, seq := range writes[:min(len(writes), namedChanges)] {
		row := p.Rec.Row(seq)
		text := row.Verb + " " + row.Object + " by " + row.Actor
		if row.Detail != "" && p.Width >= narrowQueues {
			text += ": " + row.Detail
		}
		lines = append(lines, "  ● "+frame.Ends(text, recording.Short(p.Now-row.At)+" old", p.Width-4))
	}
	if more := len(writes) - namedChanges; more > 0 {
		lines = append(lines, p.Theme.Dim.Render(fmt.Sprintf("  and %d more", more)))
	}
	return lines
}
