package trace

import (
	"strings"
	"time"
)

// remembered is how many records back a cause can be told in words. A chain of causes is short, but a
// timer may sleep for a long time.
const remembered = 1 << 16

// causes remembers what records said, in few words, for the syncs that they will bring about.
type causes struct {
	links []link
}

// link is one record in a chain of causes.
type link struct {
	seq, cause int64
	at         time.Duration
	kind       Kind
	actor      string
	background bool
	// text is, for a watch event, what it told; for a write, what it changed; for a sync, how it ended.
	text string
}

// add remembers a record, if anything can come of it.
func (c *causes) add(record *Record) {
	l := link{seq: record.Seq, cause: record.Cause, at: record.At, kind: record.Kind, actor: record.Actor, background: record.Background}
	switch {
	case record.Request != nil && record.Request.Reason == "Conflict":
		c.wentWrong(record.Cause, conflictText)
		return
	case record.Sync != nil && record.Sync.Phase == PhaseEnd:
		c.wentWrong(record.Sync.Start, errorText(record.Sync))
		return
	case record.Request != nil && (len(record.Request.Writes) > 0 || record.Request.Verb == "list"):
		l.text = causeText(record.Request)
	case record.Watch != nil:
		l.text = objectName(record.Watch.Object) + " " + record.Watch.Type
	case record.Sync != nil, record.Enqueue != nil, record.Timer != nil:
	case record.Action != nil:
		l.text = record.Action.Verb
	default:
		return
	}
	if c.links == nil {
		c.links = make([]link, 1024)
	}
	c.grow(record.Seq)
	c.links[record.Seq%int64(len(c.links))] = l
}

// grow makes room while the recording is short, so that a small one takes little memory.
func (c *causes) grow(seq int64) {
	if seq < int64(len(c.links)) || len(c.links) == remembered {
		return
	}
	links := make([]link, len(c.links)*2)
	for _, l := range c.links {
		links[l.seq%int64(len(links))] = l
	}
	c.links = links
}

func (c *causes) get(seq int64) (link, bool) {
	if seq == 0 || len(c.links) == 0 {
		return link{}, false
	}
	l := c.links[seq%int64(len(c.links))]
	return l, l.seq == seq
}

const conflictText = "409 Conflict"

// wentWrong remembers why a sync has to be done again.
func (c *causes) wentWrong(sync int64, why string) {
	if l, ok := c.get(sync); ok && l.kind == KindSync && why != "" {
		l.text = why
		c.links[sync%int64(len(c.links))] = l
	}
}

// errorText words the error of a sync in brief; "" for none.
func errorText(s *Sync) string {
	switch {
	case s.Stale:
		return "waiting for its cache"
	case s.Error != "":
		return "an error"
	}
	return ""
}

// causeText words a request for the sync that it brings about: the first thing that it did.
func causeText(r *Request) string {
	if len(r.Writes) == 0 {
		return listText + objectName(r.Object)
	}
	w := &r.Writes[0]
	switch w.Op {
	case OpCreate:
		return "created"
	case OpDelete:
		return "removed"
	}
	if len(r.Writes) > 1 && r.Writes[len(r.Writes)-1].Op == OpDelete {
		return "removed"
	}
	return cut(Summarize(w), 56)
}

// listText stands before what was listed, by an informer that fills its cache.
const listText = "list "

// routine says whether the chain that ends in a record begins with a heartbeat, or something else that goes
// on all the time. What happens before time zero is background, too, but happens once.
func (c *causes) routine(seq int64) bool {
	l, ok := c.get(seq)
	for ; ok && (l.kind == KindEnqueue || l.kind == KindWatch); l, ok = c.get(l.cause) {
	}
	return ok && l.kind == KindRequest && l.background && l.at >= 0 && !strings.HasPrefix(l.text, listText)
}

// because says why a sync of an actor runs: it follows the chain from the record that filled the queue.
func (c *causes) because(actor string, seq int64) string {
	retry := ""
	for range 1000 {
		l, ok := c.get(seq)
		switch {
		case seq == 0:
			return strings.TrimPrefix(retry, "; ")
		case !ok:
			return "because of something long ago" + retry
		}
		switch l.kind {
		case KindEnqueue:
			if l.cause == 0 {
				return "because of its start or its own timer" + retry
			}
			seq = l.cause
		case KindTimer:
			sync, ok := c.get(l.cause)
			if !ok || sync.kind != KindSync {
				return "because its own timer ran out" + retry
			}
			if sync.text == "" {
				return "because its sync of " + Seconds(sync.at) + " wanted another look" + retry
			}
			if retry == "" {
				retry = retryMark + sync.text
			}
			seq = sync.cause
		default:
			return c.reason(actor, l) + retry
		}
	}
	return ""
}

// retryMark stands before what went wrong the last time.
const retryMark = "; retry after "

// reason words the end of a chain of causes.
func (c *causes) reason(actor string, l link) string {
	switch l.kind {
	case KindWatch:
		return "because " + l.text + c.writer(actor, l.cause)
	case KindSync:
		return "because its sync of " + Seconds(l.at) + " asked for it"
	case KindAction:
		return "because of step " + l.text
	}
	if listed, ok := strings.CutPrefix(l.text, listText); ok {
		return "because " + listed + " were listed"
	}
	return "because of a request" + c.writer(actor, l.seq)
}

// writer says who made a write, and what it changed.
func (c *causes) writer(actor string, seq int64) string {
	l, ok := c.get(seq)
	if !ok || l.kind != KindRequest {
		return ""
	}
	who := l.actor
	if who == actor {
		who = "itself"
	}
	switch l.text {
	case "":
		return " (by " + who + ")"
	case "created", "removed":
		return " (" + l.text + " by " + who + ")"
	}
	return " (by " + who + ": " + l.text + ")"
}

// place puts the row of what a sync or a step of the scenario caused below it. An event that stands by
// itself says what it is about.
func (c *causes) place(row *Row, record *Record) {
	l, ok := c.get(record.Cause)
	row.Nested = ok && (l.kind == KindSync || l.kind == KindAction) && record.Action == nil
	if record.Event != nil && !row.Nested {
		row.Outcome = strings.TrimSpace("on " + objectName(record.Event.Regarding) + " " + row.Outcome)
	}
}
