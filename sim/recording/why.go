package recording

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// Link is the description of one record in a chain of causes.
type Link struct {
	Seq  int64
	At   time.Duration
	Text string
}

// Chain returns the causes of record seq, the nearest first, at most limit records.
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

// linkText describes a record as a cause. An addition to a queue says no more than its own cause.
func (r *Recording) linkText(record *trace.Record) string {
	row := trace.Describe(record)
	switch {
	case record.Enqueue != nil && record.Cause != 0:
		return ""
	case record.Enqueue != nil:
		return record.Actor + " queued it at its start, or on a timer"
	case record.Timer != nil:
		return record.Actor + " requeued its key"
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

// Short formats a duration with few digits: 40 ms, 2.5 s, 40 s, 2 min, 2 min 30 s, 1 h 5 min.
func Short(d time.Duration) string {
	switch {
	case d < time.Second:
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	case d < 10*time.Second:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	case d < 2*time.Minute:
		return strconv.FormatInt(int64(d/time.Second), 10) + " s"
	}
	d = d.Round(time.Second)
	var parts []string
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{time.Hour, "h"}, {time.Minute, "min"}, {time.Second, "s"}} {
		if n := d / unit.length; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, unit.name))
		}
		d %= unit.length
	}
	return strings.Join(parts, " ")
}
