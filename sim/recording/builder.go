package recording

import (
	"slices"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/tracefile"
)

// Builder builds a Recording from records, which are added in order.
type Builder struct {
	rec      *Recording
	lives    *lives
	sequence trace.Sequence
	err      error
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
	return &Builder{rec: rec, lives: newLives(rec.Replay)}
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
	b.rec.Caches.Add(record)
	b.rec.began(record)
	b.rec.index(record)
	b.lives.add(record)
	return nil
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
