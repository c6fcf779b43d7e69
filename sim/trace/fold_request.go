package trace

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// request adds the line of a request, or counts it in the line of another one that did the same: anywhere within a
// sync, or close to it outside of one.
func (f *fold) request(record *Record) {
	r := record.Request
	if record.Background || !IsStory(record) || r.Code < 400 && starts(r) {
		return
	}
	line := &foldLine{row: Describe(record), last: record.At, object: r.Object, names: []string{r.Name}}
	f.causes.place(&line.row, record)
	if line.row.Verb == r.Verb {
		line.subresource = r.Subresource
	}
	line.details = []string{line.row.Detail}
	t := f.open[record.Cause]
	if r.Code >= 400 {
		line.names = nil
		f.refused(line, r, t)
	} else if other := f.alike(line, r, record.Cause, t); other != nil {
		other.names, other.last = append(other.names, r.Name), record.At
		if !slices.Contains(other.details, line.row.Detail) {
			other.details = append(other.details, line.row.Detail)
		}
		return
	}
	f.push(line, record.Cause)
}

// conflict is a request with an outdated version of its object.
type conflict struct {
	line   *foldLine
	object string
	name   Object
	// stored is the resourceVersion that the store had.
	stored uint64
}

// refused records a failed request.
func (f *fold) refused(line *foldLine, r *Request, t *openSync) {
	c := &conflict{line: line, object: line.row.Object, name: storedName(r.Object)}
	c.stored = f.stored[c.name]
	if c.stored > 0 && r.Reason == "Conflict" {
		line.row.Outcome = "store has rv " + strconv.FormatUint(c.stored, 10)
	}
	if t == nil {
		return
	}
	t.refusals = append(t.refusals, r.Message)
	if r.Reason == "Conflict" {
		t.conflict = c
	}
}

// explainConflict adds which version the sync had read, once the end of the sync says so.
func (t *openSync) explainConflict(s *Sync) {
	if t.conflict == nil || t.conflict.stored == 0 {
		return
	}
	for _, read := range s.Reads {
		if storedName(read.Object) == t.conflict.name && read.RV != "" {
			t.conflict.line.row.Outcome = "read rv " + read.RV + ", store has rv " + strconv.FormatUint(t.conflict.stored, 10)
		}
	}
}

// sameGroup is the longest time between lines outside of syncs that are counted together, and nearLines the number of
// lines between them. A line of a sync is never between them: what came before it may be its cause.
const (
	sameGroup = time.Second
	nearLines = 8
)

// alike finds the line of a request that did the same to another object.
func (f *fold) alike(line *foldLine, r *Request, cause int64, t *openSync) *foldLine {
	line.shape = shapeText(&line.row, r, cause, t)
	fits := func(other *foldLine) bool {
		return !other.printed && !other.dropped && other.shape == line.shape && !slices.Contains(other.names, r.Name)
	}
	if t != nil {
		for _, other := range slices.Backward(t.lines) {
			if fits(other) {
				return other
			}
		}
		return nil
	}
	seen := 0
	for _, other := range slices.Backward(f.lines) {
		if other.dropped {
			continue
		}
		if seen++; other.sync != nil || other.shape == "" || seen > nearLines {
			break
		}
		if fits(other) && line.last-other.last <= sameGroup {
			return other
		}
	}
	return nil
}

// shapeText is the common part of lines that are counted together. Pods are bound to different nodes, which the line
// lists.
func shapeText(row *Row, r *Request, cause int64, t *openSync) string {
	detail := row.Detail
	if r.Subresource == "binding" {
		detail = ""
	}
	if t == nil {
		cause = 0
	}
	return strings.Join([]string{
		row.Actor, row.Verb, r.Resource, r.Subresource, r.Namespace, detail, itoa(cause),
	}, "\x00")
}

func (f *fold) store(r *Request) {
	for i := range r.Writes {
		w := &r.Writes[i]
		if w.Resource == "events" {
			continue
		}
		if w.Op == OpDelete {
			delete(f.stored, storedName(w.Object))
		} else {
			f.stored[storedName(w.Object)] = w.RV
		}
	}
}

func storedName(o Object) Object {
	o.Resource = resourceName(o.Resource)
	return o
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
