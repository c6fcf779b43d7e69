package invariant

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// echoesMany is how many updates in a row a controller makes because of its own last one until they count as endless.
const echoesMany = 60

// quietAfter is how many times the average time between two updates has to pass without another one until they have ended.
const quietAfter = 3

// echoes finds controllers that answer their own updates: a sync writes a time or a counter to an object, the watch event of
// that update adds the key to the queue again, and its sync writes the next value.
//
//	update widgets/a -> widgets/a MODIFIED -> sync default/a -> update widgets/a -> ...
//
// Only such a chain counts. A controller that updates its object often because other objects change has not begun one.
type echoes struct {
	last map[trace.Object]*echo
	// events are the records that the last update of an object caused: watch events, and keys that entered a queue. syncs are
	// those that began because of them.
	events, syncs map[int64]*echo
}

// echo is a chain of updates of one object by one controller.
type echo struct {
	object trace.Object
	actor  string
	// rv is the resourceVersion of the last update, events its records in echoes.events, and sync is the one that made it.
	rv     uint64
	events []int64
	sync   int64
	// fields are those that the last update changed. count is the number of updates after the first.
	fields      []string
	count       int
	first, last time.Duration
}

func newEchoes() *echoes {
	return &echoes{last: map[trace.Object]*echo{}, events: map[int64]*echo{}, syncs: map[int64]*echo{}}
}

func (e *echoes) record(record *trace.Record) {
	switch {
	case record.Background:
	case record.Watch != nil:
		if chain := e.last[record.Watch.Object]; chain != nil && chain.rv == record.Watch.RV {
			e.follows(chain, record.Seq)
		}
	case record.Enqueue != nil:
		if chain := e.events[record.Cause]; chain != nil {
			e.follows(chain, record.Seq)
		}
	case record.Sync != nil && record.Sync.Phase == trace.PhaseStart:
		if chain := e.events[record.Cause]; chain != nil && chain.actor == record.Actor {
			e.syncs[record.Seq] = chain
		}
	case record.Sync != nil:
		delete(e.syncs, record.Sync.Start)
	case record.Request != nil:
		for i := range record.Request.Writes {
			e.written(record, &record.Request.Writes[i])
		}
	}
}

func (e *echoes) follows(chain *echo, seq int64) {
	e.events[seq] = chain
	chain.events = append(chain.events, seq)
}

func (e *echoes) written(record *trace.Record, w *trace.Write) {
	chain := e.last[w.Object]
	if chain != nil {
		for _, seq := range chain.events {
			delete(e.events, seq)
		}
		chain.events = chain.events[:0]
	}
	if w.Op != trace.OpUpdate {
		delete(e.last, w.Object)
		return
	}
	if chain == nil || chain.actor != record.Actor || e.syncs[record.Cause] != chain {
		chain = &echo{object: w.Object, actor: record.Actor, first: record.At}
		e.last[w.Object] = chain
	} else if chain.sync != record.Cause {
		chain.count++
	}
	chain.rv, chain.sync, chain.last = w.RV, record.Cause, record.At
	chain.fields = fields(w, chain.fields[:0])
}

// fields appends those that an update changed, without the metadata that each update changes.
func fields(w *trace.Write, paths []string) []string {
	for _, change := range w.Changes {
		if !strings.HasPrefix(change.Path, "metadata.") || strings.HasPrefix(change.Path, "metadata.annotations") {
			paths = append(paths, change.Path)
		}
	}
	return paths
}

// endless lists the chains that had not ended when the run did, the longest first.
func (e *echoes) endless(end time.Duration) []*Hot {
	var found []*echo
	for _, chain := range e.last {
		if chain.count >= echoesMany && end-chain.last <= quietAfter*(chain.last-chain.first)/time.Duration(chain.count) {
			found = append(found, chain)
		}
	}
	slices.SortFunc(found, func(a, b *echo) int {
		if a.count != b.count {
			return b.count - a.count
		}
		return strings.Compare(trace.ObjectName(a.object)+a.actor, trace.ObjectName(b.object)+b.actor)
	})
	var hot []*Hot
	for _, chain := range found {
		h := &Hot{
			Object: trace.ObjectName(chain.object), Controllers: []string{chain.actor}, Work: HotRepeats, Field: fieldsOf(chain.fields),
			Count: chain.count, Resource: chain.object.Resource, first: chain.first,
		}
		h.until(chain.last)
		hot = append(hot, h)
	}
	return hot
}

// fieldsOf names some fields.
func fieldsOf(paths []string) string {
	const named = 2
	if len(paths) == 0 {
		return "the metadata"
	}
	text := strings.Join(paths[:min(len(paths), named)], " and ")
	if more := len(paths) - named; more > 0 {
		text += fmt.Sprintf(" and %s", trace.Count(int64(more), "more field"))
	}
	return text
}
