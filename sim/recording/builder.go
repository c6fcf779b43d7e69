package recording

import (
	"sync"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/outline"
	"github.com/kubestep/kubestep/sim/trace/file/tracefile"
)

// Builder builds a Recording from records, which are added in order.
type Builder struct {
	rec      *Recording
	sequence trace.Sequence
	// texts are those of outlines, and outlined says that there were some: what follows is added when it is asked for.
	texts    outline.Texts
	outlined bool
	err      error
}

// NewBuilder returns a Builder without records. Call it outside of a bubble (testing/synctest).
func NewBuilder() *Builder {
	rec := &Recording{
		Replay: trace.NewReplay(), Caches: NewCaches(), records: newRecords(), queues: newQueues(),
		requests:     map[requestOf][]int64{},
		descriptions: map[int64]*description{},
		bonds:        map[versionOf]bond{},
	}
	rec.causes, rec.lives = trace.NewCauses(rec), newLives(rec.Replay)
	rec.stored.part, rec.stored.add = outline.Requests, func(r *outline.Record) error { return rec.Caches.store.add(&r.Record) }
	rec.lived.part, rec.lived.add = outline.Requests, func(r *outline.Record) error { rec.lives.add(&r.Record, r.Facts); return nil }
	rec.informed.part = outline.Whole
	rec.informed.add = func(r *outline.Record) error { rec.Caches.add(&r.Record); return nil }
	rec.held.part = outline.Whole
	rec.held.add = func(r *outline.Record) error { rec.Caches.hold(&r.Record); return nil }
	rec.synced.part = outline.Syncs
	rec.synced.add = func(r *outline.Record) error { rec.queues.add(&r.Record, rec.Kind); return nil }
	rec.requested.part = outline.Requests
	rec.requested.add = func(r *outline.Record) error { rec.addRequest(&r.Record); return nil }
	return &Builder{rec: rec, texts: outline.Texts{}}
}

// addRequest adds a request to those about its object.
func (r *Recording) addRequest(record *trace.Record) {
	if record.Request != nil {
		of := requestOf{record.Actor, record.Request.Object}
		r.requests[of] = append(r.requests[of], record.Seq)
	}
}

// Add adds the next record.
func (b *Builder) Add(record *trace.Record) error {
	if err := b.add(record); err != nil {
		return err
	}
	b.rec.records.keep(record)
	return nil
}

// addPiece adds the records of a piece, as far as they are right. The error can be that behind them.
func (b *Builder) addPiece(piece *tracefile.Piece) error {
	if piece.Outline != nil {
		return b.addOutline(piece)
	}
	for i, record := range piece.Records {
		if err := b.add(record); err != nil {
			for _, record := range piece.Records[:i] {
				b.rec.records.keep(record)
			}
			return err
		}
	}
	b.rec.records.keepPiece(piece)
	return piece.Err
}

// add adds the next record to all lookups.
func (b *Builder) add(record *trace.Record) error {
	if err := b.sequence.Add(record); err != nil {
		return err
	}
	if !b.outlined {
		if err := b.rec.Replay.Apply(record); err != nil {
			return err
		}
	}
	whole := &outline.Record{
		Record: *record, Story: trace.InStory(record), Failed: trace.IsError(record),
		Wrote: record.Request != nil && len(record.Request.Writes) > 0,
	}
	b.rec.note(whole)
	if b.outlined {
		return nil
	}
	for _, l := range []*lookup{&b.rec.stored, &b.rec.informed, &b.rec.held, &b.rec.lived, &b.rec.synced, &b.rec.requested} {
		if err := l.take(whole); err != nil {
			return err
		}
	}
	return nil
}

// addOutline adds the records of a piece whose records are not decoded, as far as they can follow each other.
func (b *Builder) addOutline(piece *tracefile.Piece) error {
	if !b.outlined {
		b.outlined = true
		rec := b.rec
		rec.Replay.Written = writes{rec}
		rec.Caches.need, rec.Caches.needStore = func() { rec.need(&rec.informed) }, func() { rec.need(&rec.stored) }
		rec.Caches.needObjects = sync.OnceFunc(func() {
			rec.need(&rec.stored)
			rec.need(&rec.informed)
			rec.need(&rec.held)
		})
	}
	n := 0
	for record, err := range piece.Outline.Records(outline.Brief, b.texts) {
		if err == nil {
			err = b.sequence.Add(&record.Record)
		}
		if err != nil {
			b.rec.records.keepOutline(piece, n)
			return piece.Damaged(err, b.Len())
		}
		b.rec.note(record)
		n++
	}
	b.rec.records.keepOutline(piece, n)
	return piece.Err
}

// note adds what is known of each record.
func (r *Recording) note(record *outline.Record) {
	r.records.facts.note(record)
	r.began(&record.Record)
}

// Sink is a trace.Sink that adds the records of a run in this process. Err is the first error that it met.
func (b *Builder) Sink(record *trace.Record, _ []byte) {
	if b.err == nil {
		b.err = b.Add(record)
	}
}

// Err is the first error of Sink.
func (b *Builder) Err() error { return b.err }

// Len is the number of the last record.
func (b *Builder) Len() int64 { return b.rec.Len() }

// Done returns the recording. If records are added afterwards, as those of a session that continues, the recording must not be used until
// Done is called again.
func (b *Builder) Done(origin Origin, hash string) *Recording {
	rec := b.rec
	rec.Origin, rec.Hash = origin, hash
	// What was made of all records is made again if there are more.
	rec.index, rec.workloads, rec.tops = index{}, sync.Once{}, nil
	rec.objects = sync.OnceValue(func() []trace.Object { return rec.Caches.Store().Objects() })
	rec.queues.names = sync.OnceValue(rec.queues.sorted)
	return rec
}
