package pane

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
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
	p, beat := queues{m, c}, m.Passing()
	return append(append(p.queues(beat.Queues()), ""), p.caches(beat.Caches())...)
}

// queues are the queues and caches that are being drawn.
type queues drawing

// narrowQueues is the width below which keys are only counted.
const narrowQueues = 72

// queues draws a line for each work queue; those in which nothing is are dim.
func (p queues) queues(all []scene.Queue) []string {
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
	for i := range all {
		q := &all[i]
		label, syncs := strings.TrimSpace(ShortActor(q.Actor, name-1)+" "+q.Name), strconv.Itoa(q.Syncs)
		if q.Requeued > 0 {
			syncs += fmt.Sprintf(again, q.Requeued)
		}
		if of, _ := trace.SplitActor(q.Actor); p.Program != "" && of == p.Program {
			label = "▸ " + label
		}
		text := line(frame.Middle(label, name-1), p.keys(q.Waiting, each), p.keys(q.InWork, each),
			p.keys(slices.Concat(q.Timers, q.Backoff), each), syncs)
		lines = append(lines, p.Theme.Tone(q.Tone).Render(text))
		if len(q.Unschedulable) > 0 {
			lines = append(lines, p.Theme.Pending.Render("  unschedulable: "+p.keys(q.Unschedulable, p.Width-17)))
		}
	}
	if len(lines) == 1 {
		lines = append(lines, "no controller has a queue in this recording")
	}
	return lines
}

// keys counts the keys, and names the first of them where there is room.
func (p queues) keys(keys []scene.Key, width int) string {
	if len(keys) == 0 {
		return "-"
	}
	if p.Width < narrowQueues {
		return strconv.Itoa(len(keys))
	}
	text := ""
	if keys[0].When != "" {
		text = " " + keys[0].When
	}
	if n := keys[0].Retries; n > 0 {
		text += fmt.Sprintf(" retry %d", n)
	}
	if len(keys) > 1 {
		text = fmt.Sprintf(" +%d", len(keys)-1)
	}
	return frame.Middle(keys[0].Key, max(width-frame.Width(text)-1, 4)) + text
}

// caches draws a line for each informer, and below it the changes that are between the store and its cache.
func (p queues) caches(all []scene.Cache) []string {
	name, events := min(32, p.Width/3), 8
	if p.Width < narrowQueues {
		name, events = 20, 0
	}
	line := func(a, store, cache, count, behind string) string {
		return frame.Fit(a, name) + frame.Right(store, 9) + frame.Right(cache, 8) + frame.Right(count, events) + "   " + behind
	}
	lines := []string{p.Theme.Dim.Render(line("informer", "store rv", "cache", "events", "not seen yet"))}
	for i := range all {
		c := &all[i]
		cache := strconv.FormatUint(c.Cache, 10)
		if c.Cache == 0 {
			cache = "listed"
		}
		style, behind := p.Theme.Dim, "-"
		if c.Behind > 0 {
			style, behind = p.Theme.Tone(""), strings.Repeat("●", min(c.Behind, 12))+fmt.Sprintf(" %d", c.Behind)
			if c.Next != "" && p.Width >= narrowQueues {
				behind += ", the next one arrives " + c.Next
			}
			behind = p.Theme.Pending.Render(behind)
		}
		label := frame.Middle(c.Informer, name-1)
		lines = append(lines, style.Render(line(label, strconv.FormatUint(c.Store, 10), cache, strconv.Itoa(c.Events), behind)))
		lines = append(lines, p.changes(c)...)
	}
	if len(lines) == 1 {
		lines = append(lines, "no informer received an event in this recording")
	}
	return lines
}

// changes names writes that a cache has not seen, and how old they are.
func (p queues) changes(c *scene.Cache) (lines []string) {
	for _, change := range c.Changes {
		text := change.Text
		if change.Detail != "" && p.Width >= narrowQueues {
			text += ": " + change.Detail
		}
		lines = append(lines, "  ● "+frame.Ends(text, recording.Short(p.Now-change.At)+" old", p.Width-4))
	}
	if more := c.Behind - len(c.Changes); more > 0 {
		lines = append(lines, p.Theme.Dim.Render(fmt.Sprintf("  and %d more", more)))
	}
	return lines
}
