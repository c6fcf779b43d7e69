package recording

import (
	"slices"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/outline"
	"github.com/kubestep/kubestep/sim/trace/file/tracefile"
)

// Builder builds a Recording from records, which are added in order.
type Builder struct {
	rec      *Recording
	lives    *lives
	sequence trace.Sequence
	// texts are those of outlines.
	texts outline.Texts
	err   error
}

// NewBuilder returns a Builder without records. Call it outside of a bubble (testing/synctest).
func NewBuilder() *Builder {
	rec := &Recording{
		Replay: trace.NewReplay(), Caches: NewCaches(), records: newRecords(),
		byActor: map[string][]int64{}, byKind: map[trace.Kind][]int64{},
		requests: map[requestOf][]int64{}, syncEnds: map[int64]int64{}, timers: map[queued]*timers{},
		queues: map[queueOf][]*span{}, spans: map[int64]*span{}, keys: map[keyOf][]int64{}, syncsBy: map[string][]int64{},
		descriptions: map[int64]*description{},
		bonds:        map[versionOf]bond{},
	}
	rec.causes = trace.NewCauses(rec)
	rec.Replay.Records, rec.Replay.Fail, rec.records.wrote = rec.Record, rec.records.fail, rec.wrote
	return &Builder{rec: rec, lives: newLives(rec.Replay), texts: outline.Texts{}}
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
	b.rec.records.keepBlock(piece.Records, piece.Packed, piece.Size)
	return piece.Err
}

// add adds the next record to all lookups.
func (b *Builder) add(record *trace.Record) error {
	if err := b.sequence.Add(record); err != nil {
		return err
	}
	if err := b.rec.Replay.Apply(record); err != nil {
		return err
	}
	b.note(record, trace.InStory(record), trace.IsError(record), nil)
	return nil
}

// addOutline adds the records of a piece whose records are not decoded, as far as they can follow each other.
func (b *Builder) addOutline(piece *tracefile.Piece) error {
	n := 0
	for record, err := range piece.Outline.Records(b.texts) {
		if err == nil {
			err = b.sequence.Add(&record.Record)
		}
		if err == nil {
			err = b.rec.Replay.Outline(&record.Record)
		}
		if err != nil {
			b.rec.records.keepOutline(piece, n)
			return piece.Damaged(err, b.Len())
		}
		b.note(&record.Record, record.Story, record.Failed, record.Facts)
		n++
	}
	b.rec.records.keepOutline(piece, n)
	return piece.Err
}

// note adds the next record to the lookups. Of an outline, facts are those of its writes.
func (b *Builder) note(record *trace.Record, story, failed bool, facts []outline.Facts) {
	b.rec.Caches.Add(record)
	b.rec.began(record)
	b.rec.index(record, story, failed)
	b.lives.add(record, facts)
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

// Done returns the recording. The Builder must not be used afterwards.
func (b *Builder) Done(origin Origin, hash string) *Recording {
	rec := b.rec
	rec.Origin, rec.Hash = origin, hash
	rec.workloads, rec.lives = b.lives.workloads(rec), b.lives
	rec.objects = rec.Caches.Store().Objects()
	rec.nameQueues()
	var times []time.Duration
	for _, seq := range rec.marks.Story {
		if at := rec.At(seq); at >= 0 {
			times = append(times, at)
		}
	}
	slices.Sort(times)
	rec.axis = newAxis(times)
	return rec
}
