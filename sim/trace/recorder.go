package trace

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"slices"
	"sync"
	"time"
)

// Sink receives records as they are written, with their line of JSON.
type Sink func(record *Record, line []byte)

// Recorder numbers records and passes them to its sinks, in an order that does not depend on which goroutine was
// faster.
type Recorder struct {
	// Zero is the date of time zero, for the first record; may be zero.
	Zero time.Time
	// ShowSecrets gives the sinks the values of Secrets. The hash is always that of the redacted records.
	ShowSecrets bool
	// NoLines leaves out the lines, and with them the hash, which then is empty: most of what a recorder costs.
	NoLines bool
	// LateLines leaves out the lines for the sinks, too, and makes those of the hash only when somebody asks for it.
	LateLines bool

	now   func() time.Duration
	sinks []Sink

	// mu guards what follows. One goroutine writes records, but a test may ask for the hash from another one.
	mu      sync.Mutex
	pending []*pending
	arrival int64
	hash    hash.Hash
	seq     int64
	// unhashed are records whose lines are not in the hash yet.
	unhashed []*Record
}

// NewRecorder returns a recorder that sets the times of records with now, the virtual time since time zero.
func NewRecorder(now func() time.Duration, sinks ...Sink) *Recorder {
	return &Recorder{now: now, sinks: sinks, hash: sha256.New()}
}

// Rank orders the records of different kinds of goroutines between two events.
type Rank int

// Handlers fill queues before workers empty them, and workers come before what they cause.
const (
	RankHandler Rank = iota
	RankWorker
	RankOther
)

// pending is a record that a goroutine wrote while others were running.
type pending struct {
	record  *Record
	rank    Rank
	order   func() string
	finish  func(*Record)
	written func(*Record)
	arrival int64
}

// Emit writes a record now and returns its number. Only the engine's goroutine calls it, while the simulation is
// quiescent.
func (r *Recorder) Emit(record *Record) int64 {
	record.At = r.now()
	return r.write(record)
}

// Defer keeps a record until the simulation is quiescent. The records between two events are then sorted by time, rank,
// actor and order, which is called only then; records that are equal in all of these must come from one goroutine, or
// from goroutines that waited for each other. finish completes the record just before it is written, and written
// receives its number; both may be nil.
func (r *Recorder) Defer(record *Record, rank Rank, order func() string, finish, written func(*Record)) {
	record.At = r.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.arrival++
	r.pending = append(r.pending, &pending{record, rank, order, finish, written, r.arrival})
}

// Flush writes the deferred records. The engine calls it whenever the simulation is quiescent.
func (r *Recorder) Flush() {
	r.mu.Lock()
	batch := r.pending
	r.pending = nil
	r.mu.Unlock()
	if len(batch) == 0 {
		return
	}
	keys := make(map[*pending]string, len(batch))
	for _, p := range batch {
		if p.order != nil {
			keys[p] = p.order()
		}
	}
	slices.SortStableFunc(batch, func(a, b *pending) int {
		return cmp.Or(
			cmp.Compare(a.record.At, b.record.At),
			cmp.Compare(a.rank, b.rank),
			cmp.Compare(a.record.Actor, b.record.Actor),
			cmp.Compare(keys[a], keys[b]),
			cmp.Compare(a.arrival, b.arrival),
		)
	})
	for _, p := range batch {
		if p.finish != nil {
			p.finish(p.record)
		}
		r.write(p.record)
		if p.written != nil {
			p.written(p.record)
		}
	}
}

func (r *Recorder) write(record *Record) int64 {
	if record.At < 0 {
		// The start-up before time zero is background.
		record.Background = true
	}
	redacted, line := r.number(record)
	switch {
	case !r.ShowSecrets || redacted == record:
		record = redacted
	case !r.NoLines && !r.LateLines:
		line = record.Line()
	}
	for _, sink := range r.sinks {
		sink(record, line)
	}
	return record.Seq
}

// number gives a record its number and adds its line to the hash.
func (r *Recorder) number(record *Record) (redacted *Record, line []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seq++
	record.Seq = r.seq
	if r.seq == 1 && !r.Zero.IsZero() {
		record.Date = r.Zero.Add(record.At).UTC()
	}
	redacted = Redacted(record)
	switch {
	case r.NoLines:
	case r.LateLines:
		r.unhashed = append(r.unhashed, redacted)
	default:
		line = redacted.Line()
		r.hash.Write(line)
	}
	return redacted, line
}

// Len is the number of records written so far.
func (r *Recorder) Len() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.seq
}

// Hash is the SHA-256 of all lines written so far, as "sha256:" and hexadecimal digits.
func (r *Recorder) Hash() string {
	if r.NoLines {
		return ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, record := range r.unhashed {
		r.hash.Write(record.Line())
	}
	r.unhashed = nil
	return "sha256:" + hex.EncodeToString(r.hash.Sum(nil))
}
