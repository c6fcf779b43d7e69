package pane

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/frame"
	"github.com/kubestep/kubestep/tui/theme"
)

// Queues shows what controllers do not know yet and what they still have to do: how far each informer's
// cache is behind the store, and the keys in each work queue.
type Queues struct {
	base
	now time.Duration
}

// NewQueues returns the pane.
func NewQueues(rec *recording.Recording, t *theme.Theme) *Queues {
	return &Queues{base: base{rec: rec, theme: t}}
}

// SetNow sets the virtual time.
func (p *Queues) SetNow(at time.Duration) { p.now = at }

// Render draws the pane, from a line on.
func (p *Queues) Render(scroll int) []string {
	inner := *p
	inner.width, inner.height = p.width-4, p.height-2
	lines := append(inner.queues(), "")
	lines = append(lines, inner.caches()...)
	from := min(scroll, max(len(lines)-inner.height, 0))
	return frame.Box(p.theme.Title.Render("Queues")+p.theme.Dim.Render("  what controllers have to do, and what they do not know yet"),
		cutOff(lines[from:], inner.height, p.theme), p.width, p.height, p.theme.Dim)
}

// narrowQueues is the width below which keys are only counted.
const narrowQueues = 72

// queues draws a line for each work queue; those in which nothing is are dim.
func (p *Queues) queues() []string {
	name, last := min(28, p.width/4), 14
	each := (p.width - name - last) / 3
	headings := []string{"in the queue", "in work", "comes back"}
	if p.width < narrowQueues {
		name, each, last = 20, 8, p.width-20-24
		headings = []string{"queued", "in work", "timer"}
	}
	line := func(a, queued, work, timer, syncs string) string {
		return frame.Fit(a, name) + frame.Fit(queued, each) + frame.Fit(work, each) + frame.Fit(timer, each) + frame.Right(syncs, last)
	}
	lines := []string{p.theme.Dim.Render(line("controller", headings[0], headings[1], headings[2], "syncs"))}
	for _, q := range p.rec.QueuesAt(p.cursor) {
		label := ShortActor(q.Actor, name-1)
		if q.Queue != "" && !strings.HasPrefix(q.Actor, q.Queue) {
			label += " " + q.Queue
		}
		syncs := strconv.Itoa(q.Syncs)
		if q.Requeued > 0 {
			syncs += fmt.Sprintf(", %d again", q.Requeued)
		}
		text := line(frame.Middle(label, name-1), p.keys(q.Waiting, each, "for "), p.keys(q.InWork, each, "for "),
			p.keys(q.Timers, each, "in "), syncs)
		switch {
		case len(q.InWork) > 0:
			text = p.theme.Now.Render(text)
		case len(q.Waiting) > 0:
			text = p.theme.Pending.Render(text)
		case len(q.Timers) == 0:
			text = p.theme.Dim.Render(text)
		}
		lines = append(lines, text)
	}
	if len(lines) == 1 {
		lines = append(lines, "no controller has a queue in this recording")
	}
	return lines
}

// keys counts the keys, and names the first of them where there is room.
func (p *Queues) keys(keys []recording.QueuedKey, width int, word string) string {
	if len(keys) == 0 {
		return "-"
	}
	if p.width < narrowQueues {
		return strconv.Itoa(len(keys))
	}
	wait := keys[0].At - p.now
	if wait < 0 {
		wait = -wait
	}
	text := " " + word + recording.Short(wait)
	if wait < time.Millisecond {
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
func (p *Queues) caches() []string {
	name, events := min(32, p.width/3), 8
	if p.width < narrowQueues {
		name, events = 20, 0
	}
	line := func(a, store, cache, count, behind string) string {
		return frame.Fit(a, name) + frame.Right(store, 9) + frame.Right(cache, 8) + frame.Right(count, events) + "   " + behind
	}
	lines := []string{p.theme.Dim.Render(line("informer", "store rv", "cache", "events", "not seen yet"))}
	for _, s := range p.rec.StreamsAt(p.cursor) {
		cache, store := strconv.FormatUint(s.Cache, 10), strconv.FormatUint(s.Store, 10)
		if s.Cache == 0 {
			cache = "listed"
		}
		label := frame.Middle(strings.TrimPrefix(s.Name, "shared-informers/"), name-1)
		if len(s.UnderWay) == 0 {
			lines = append(lines, p.theme.Dim.Render(line(label, store, cache, strconv.Itoa(s.Events), "-")))
			continue
		}
		behind := strings.Repeat("●", min(len(s.UnderWay), 12)) + fmt.Sprintf(" %d", len(s.UnderWay))
		if wait := s.At - p.now; s.At > 0 && wait >= 0 && p.width >= narrowQueues {
			behind += ", the next arrives in " + recording.Short(wait)
		}
		lines = append(lines, line(label, store, cache, strconv.Itoa(s.Events), p.theme.Pending.Render(behind)))
		lines = append(lines, p.changes(s.UnderWay)...)
	}
	if len(lines) == 1 {
		lines = append(lines, "no informer got an event in this recording")
	}
	return lines
}

// changes names writes that a cache has not seen, and how old they are.
func (p *Queues) changes(writes []int64) []string {
	var lines []string
	for _, seq := range writes[:min(len(writes), namedChanges)] {
		row := p.rec.Row(seq)
		text := row.Verb + " " + row.Object + " by " + row.Actor
		if row.Detail != "" && p.width >= narrowQueues {
			text += ": " + row.Detail
		}
		lines = append(lines, "  ● "+frame.Ends(text, recording.Short(p.now-row.At)+" old", p.width-4))
	}
	if more := len(writes) - namedChanges; more > 0 {
		lines = append(lines, p.theme.Dim.Render(fmt.Sprintf("  and %d more", more)))
	}
	return lines
}
