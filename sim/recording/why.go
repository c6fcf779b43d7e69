package recording

import (
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// Link is one record in a chain of causes, in words.
type Link struct {
	Seq  int64
	At   time.Duration
	Text string
}

// Chain tells what led to record seq, the nearest cause first, at most limit records.
func (r *Recording) Chain(seq int64, limit int) []Link {
	var links []Link
	record := r.Record(seq)
	for record != nil && len(links) < limit {
		cause := r.Record(record.Cause)
		if cause == nil {
			break
		}
		if text := r.linkText(cause); text != "" {
			links = append(links, Link{cause.Seq, cause.At, text})
		}
		record = cause
	}
	return links
}

// linkText words a record as a cause. An addition to a queue says nothing that its own cause does not.
func (r *Recording) linkText(record *trace.Record) string {
	row := trace.Describe(record)
	switch {
	case record.Enqueue != nil && record.Cause != 0:
		return ""
	case record.Enqueue != nil:
		return record.Actor + " queued it at its start or by its own timer"
	case record.Timer != nil:
		return record.Actor + " asked for another turn"
	case record.Watch != nil:
		text := row.Object + " " + record.Watch.Type + " reached the informer"
		if record.Watch.Written != 0 {
			text += " after " + Short(record.At-record.Watch.Written)
		}
		return text
	case record.Sync != nil:
		return record.Actor + " sync " + row.Object
	case record.Action != nil:
		return "step " + row.Object
	}
	text := record.Actor + " " + row.Verb + " " + row.Object
	if row.Detail != "" {
		text += ": " + row.Detail
	}
	return strings.TrimSpace(text)
}

// SyncStory is what one sync did.
type SyncStory struct {
	Start, End int64
	Actor, Key string
	// Waited is how long the key stood in the queue, Took how long the sync took.
	Waited, Took time.Duration
	Reads        []SeenRead
	Requests     []int64
	// Outcome is empty while the sync goes on.
	Outcome, Error string
}

// SeenRead is a look into a cache, compared with what the store had when the sync began.
type SeenRead struct {
	Name string
	// Cache is the version that the cache had, "" for none; Items says what a list returned.
	Cache string
	Items string
	// Store is the version that the store had, and Behind how many writes the cache had not seen.
	Store  string
	Behind int
}

// SyncStory tells about the sync that record seq belongs to; nil if it belongs to none.
func (r *Recording) SyncStory(seq int64) *SyncStory {
	start := r.SyncOf(seq)
	record := r.Record(start)
	if record == nil {
		return nil
	}
	story := &SyncStory{Start: start, Actor: record.Actor, Key: record.Sync.Key, Waited: record.Sync.Waited}
	for _, effect := range r.Effects(start) {
		if request := r.Record(effect).Request; request != nil && !r.Record(effect).Background {
			story.Requests = append(story.Requests, effect)
		}
	}
	end := r.Record(r.syncEnds[start])
	if end == nil {
		return story
	}
	story.End, story.Took = end.Seq, end.Sync.Duration
	story.Outcome, story.Error = r.Row(start).Outcome, end.Sync.Error
	if story.Key == "" {
		story.Key = end.Sync.Key
	}
	for i := range end.Sync.Reads {
		story.Reads = append(story.Reads, r.seen(&end.Sync.Reads[i], start))
	}
	return story
}

// seen compares a read with the store. A sync reads its caches before its first request, at the instant
// at which it began.
func (r *Recording) seen(read *trace.Read, start int64) SeenRead {
	name := trace.Describe(&trace.Record{Watch: &trace.Watch{Object: read.Object}}).Object
	if read.Items != nil {
		return SeenRead{Name: name, Items: strconv.Itoa(*read.Items)}
	}
	object, _ := r.Caches.store.Find(read.Object)
	out := SeenRead{Name: name, Cache: read.RV}
	at := r.VersionAt(object, start)
	if at < 0 {
		return out
	}
	rv, _ := strconv.ParseUint(read.RV, 10, 64)
	out.Behind = r.Caches.store.behind(object, rv, at)
	if version := r.Versions(object)[at]; version.Gone {
		out.Store = "gone"
	} else {
		out.Store = strconv.FormatUint(version.RV, 10)
	}
	return out
}

// Short prints a length of time with few digits.
func Short(d time.Duration) string {
	switch {
	case d < time.Second:
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	case d < 10*time.Second:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	case d < 2*time.Minute:
		return strconv.FormatInt(int64(d/time.Second), 10) + " s"
	}
	return strings.TrimSuffix(d.Round(time.Second).String(), "0s")
}
