package recording

import (
	"errors"
	"iter"
	"sync"
	"sync/atomic"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/outline"
)

// lookup is something that a recording can be asked for, made of its records. Those of a run, or of JSON lines, are added one by one
// while the recording is built. Those of an archive are added when the lookup is asked for the first time: few questions need all lookups,
// and each costs time and memory for every record.
type lookup struct {
	// part is what add needs of an outline. add returns an error for a record that cannot follow the others.
	part outline.Part
	add  func(*outline.Record) error

	mu sync.Mutex
	// made is the number of the last record that was added.
	made atomic.Int64
}

// take adds the next record while the recording is built. Who sees that the last record was added uses the lookup without the lock.
func (l *lookup) take(record *outline.Record) error {
	err := l.add(record)
	l.made.Store(record.Seq)
	return err
}

// need makes a lookup of all records. It panics with a *Damage if an outline is wrong.
func (r *Recording) need(l *lookup) {
	if l.made.Load() == r.Len() {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for record := range r.outlines(l.part, l.made.Load()) {
		r.take(l, record)
	}
}

// take adds the next record of an outline to a lookup.
func (r *Recording) take(l *lookup, record *outline.Record) {
	if err := l.take(record); err != nil {
		r.records.fail(record.Seq, err)
	}
}

// Pass calls a function with each record that Outlines yields, and makes the lookups that a screen asks for on the way. The function must
// not ask the recording for anything.
func (r *Recording) Pass(visit func(*trace.Record)) {
	var missing []*lookup
	for _, l := range []*lookup{&r.stored, &r.informed, &r.lived, &r.synced} {
		if l.made.Load() < r.Len() {
			l.mu.Lock()
			defer l.mu.Unlock()
			missing = append(missing, l)
		}
	}
	for record := range r.outlines(outline.Whole, 0) {
		for _, l := range missing {
			if l.made.Load() < record.Seq {
				r.take(l, record)
			}
		}
		visit(&record.Record)
	}
}

// Outlines yields all records, in order, as All does, but of a block of which only the outline was read so far, the outlines (package
// outline). A record is valid until the next one.
func (r *Recording) Outlines() iter.Seq[*trace.Record] {
	return func(yield func(*trace.Record) bool) {
		for record := range r.outlines(outline.Whole, 0) {
			if !yield(&record.Record) {
				return
			}
		}
	}
}

// outlines yields a part of the outlines of the records behind a number, or those of records whose blocks have none.
func (r *Recording) outlines(part outline.Part, after int64) iter.Seq[*outline.Record] {
	return func(yield func(*outline.Record) bool) {
		texts, whole := outline.Texts{}, outline.Record{}
		for _, b := range r.records.blocks[max(r.records.of(after+1), 0):] {
			if b.outlined == 0 {
				for record := range r.records.between(max(b.first, after+1), b.first+int64(b.n)) {
					whole = outline.Record{Record: *record, Story: trace.InStory(record), Failed: trace.IsError(record)}
					if !yield(&whole) {
						return
					}
				}
				continue
			}
			n := 0
			for record, err := range r.records.outlines(b, part, texts) {
				if n++; err != nil {
					b.fail(err)
				}
				if n > b.n {
					return
				}
				if record.Seq > after && !yield(record) {
					return
				}
			}
		}
	}
}

// writes is what a Replay asks of a recording that was read by its outlines.
type writes struct{ *Recording }

// WritesOf implements trace.Written.
func (w writes) WritesOf(o trace.Object) []trace.WriteOf {
	versions := w.Versions(o)
	list := make([]trace.WriteOf, len(versions))
	for i, v := range versions {
		op := trace.OpUpdate
		switch {
		case v.Gone:
			op = trace.OpDelete
		case v.created:
			op = trace.OpCreate
		}
		list[i] = trace.WriteOf{Seq: v.Seq, RV: v.RV, Op: op}
	}
	return list
}

// ObjectsOf implements trace.Written.
func (w writes) ObjectsOf(of string) []trace.Object {
	if known := w.Caches.Store().resources[of]; known != nil {
		return known.objects
	}
	return nil
}

// Resources implements trace.Written.
func (w writes) Resources() (names []string) {
	for name := range w.Caches.Store().resources {
		names = append(names, name)
	}
	return names
}

// Fail implements trace.Written.
func (w writes) Fail(seq int64, err error) { w.records.fail(seq, err) }

var errUpdate = errors.New("it has an update of an object that no record created")
