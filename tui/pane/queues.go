package pane

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/tui/frame"
	"github.com/kubestep/kubestep/tui/recording"
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
	return frame.Box(p.theme.Title.Render("Work queues and caches"), cutOff(lines[from:], inner.height, p.theme),
		p.width, p.height, p.theme.Dim)
}

// queues draws a line for each work queue; those in which nothing is are dim.
func (p *Queues) queues() []string {
	name := min(28, p.width/4)
	each := (p.width - name - 14) / 3
	line := func(a, queued, work, timer, syncs string) string {
		return frame.Fit(a, name) + frame.Fit(queued, each) + frame.Fit(work, each) + frame.Fit(timer, each) + frame.Right(syncs, 14)
	}
	lines := []string{p.theme.Dim.Render(line("controller", "in the queue", "in work", "comes back", "syncs"))}
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

// keys names the first key and counts the others.
func (p *Queues) keys(keys []recording.QueuedKey, width int, word string) string {
	if len(keys) == 0 {
		return "-"
	}
	wait := keys[0].At - p.now
	if wait < 0 {
		wait = -wait
	}
	text := " " + word + recording.Short(wait)
	if len(keys) > 1 {
		text = fmt.Sprintf(" +%d", len(keys)-1)
	}
	return frame.Middle(keys[0].Key, max(width-frame.Width(text)-1, 4)) + text
}

// caches draws a line for each informer: the changes between its cache and the store stand between them.
func (p *Queues) caches() []string {
	name := min(32, p.width/3)
	line := func(a, store, cache, behind string) string {
		return frame.Fit(a, name) + frame.Right(store, 8) + frame.Right(cache, 8) + "   " + behind
	}
	lines := []string{p.theme.Dim.Render(line("informer", "store rv", "cache", "under way"))}
	for _, s := range p.rec.StreamsAt(p.cursor) {
		cache, store := strconv.FormatUint(s.Cache, 10), strconv.FormatUint(s.Store, 10)
		if s.Cache == 0 {
			cache = "listed"
		}
		if s.UnderWay == 0 {
			lines = append(lines, p.theme.Dim.Render(line(frame.Middle(s.Name, name-1), store, cache, "it has seen all")))
			continue
		}
		behind := strings.Repeat("●", min(s.UnderWay, 12)) + fmt.Sprintf(" %d", s.UnderWay)
		if wait := s.At - p.now; s.At > 0 && wait >= 0 {
			behind += ", the next arrives in " + recording.Short(wait)
		}
		lines = append(lines, line(frame.Middle(s.Name, name-1), store, cache, p.theme.Pending.Render(behind)))
	}
	if len(lines) == 1 {
		lines = append(lines, "no informer got an event in this recording")
	}
	return lines
}
