package recording

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/input"
	"github.com/kubestep/kubestep/sim/trace"
)

// Builder builds a Recording from records, which are added in order.
type Builder struct {
	rec   *Recording
	lives *lives
	err   error
}

// NewBuilder returns a Builder without records.
func NewBuilder() *Builder {
	rec := &Recording{
		Replay: trace.NewReplay(), Caches: NewCaches(),
		byActor: map[string][]int64{}, byKind: map[trace.Kind][]int64{},
		syncEnds: map[int64]int64{}, timers: map[queued][]int64{},
	}
	rec.causes = trace.NewCauses(rec)
	return &Builder{rec: rec, lives: newLives(rec.Replay)}
}

// Add adds the next record.
func (b *Builder) Add(record *trace.Record) error {
	last := b.rec.Record(b.rec.Len())
	if last == nil {
		last = &trace.Record{}
	}
	if err := record.Follows(last); err != nil {
		return err
	}
	if err := b.rec.Replay.Apply(record); err != nil {
		return err
	}
	b.rec.Caches.Add(record)
	b.rec.began(record)
	b.rec.Records = append(b.rec.Records, record)
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
	rec.rows, rec.texts = make([]*trace.Row, rec.Len()), make([]string, rec.Len())
	rec.workloads, rec.lives = b.lives.workloads(rec), b.lives
	rec.objects = rec.Caches.Store().Objects()
	rec.indexQueues()
	var times []time.Duration
	for _, record := range rec.Records {
		if !rec.Story(record.Seq) {
			continue
		}
		rec.marks.Story = append(rec.marks.Story, record.Seq)
		if record.At >= 0 {
			times = append(times, record.At)
		}
	}
	slices.Sort(times)
	rec.axis = newAxis(times)
	return rec
}

// Read reads a recording from JSON lines. An incomplete one is returned as far as it goes, with the reason in Cut.
func Read(r io.Reader, origin Origin) (*Recording, error) {
	sum := sha256.New()
	builder := NewBuilder()
	for record, err := range trace.ReadJSONL(io.TeeReader(r, sum)) {
		if err == nil && record.Halt != nil {
			origin.Cut, origin.Halted = record.Halt.Message, record.Halt.Reason
			break
		}
		if err == nil {
			err = builder.Add(record)
		}
		if err != nil {
			if builder.Len() == 0 || errors.Is(err, trace.ErrForeign) {
				return nil, err
			}
			origin.Cut = err.Error()
			break
		}
	}
	if builder.Len() == 0 {
		return nil, errors.New("it contains no records")
	}
	return builder.Done(origin, "sha256:"+hex.EncodeToString(sum.Sum(nil))), nil
}

// ReadFile reads a recording from a file of JSON lines.
func ReadFile(path string) (*Recording, error) {
	file, err := input.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rec, err := Read(file, Origin{Name: strings.TrimSuffix(filepath.Base(path), ".jsonl")})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return rec, nil
}
