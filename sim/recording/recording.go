package recording

import (
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
)

// Origin describes the source of a recording.
type Origin struct {
	// Name is the scenario or the file, and Title the scenario's title.
	Name, Title string
	// Seed of the run, if Ran says that kubestep ran it just now, or Made that an archive has it.
	Seed int64
	Ran  bool
	// End is the virtual time at which the run ended, 0 if it is unknown: a file ends with the last record.
	End time.Duration
	// Result is the verdict of the run, and OpenOrder names the controllers whose order Go decides.
	Result    string
	OpenOrder []string
	// Error is why the run ended early, if that is due to the scenario. Problem is the same without its place in the file, and Field the
	// field that is wrong; both are empty if the error has no place.
	Error, Field, Problem string
	// Cut says why the recording is incomplete; its content is usable. Halted is the reason of the halt with which it
	// ends, if there is one.
	Cut    string
	Halted trace.HaltReason
	// CutBy is the error that Cut says, if there is one.
	CutBy error
	// Shared is how many records of a branch are those of the run that it branched off from; 0 if nobody knows.
	Shared int64
	// Made says what the run was made from, if it was read from an archive.
	Made *archive.Header
	// Whole says what the trace has, if only its first part was read because nobody has asked for more (Reading.Until).
	Whole *Whole
}

// Whole is what is known of a trace of which only the first part was read. An archive says so itself, in its index, which is compared with
// the blocks when all of them are read.
type Whole struct {
	// Records is how many records it has, and End its virtual time at the end; both are 0 for JSON lines.
	Records int64
	End     time.Duration
	// Result is the verdict of the run, if there is one.
	Result string
}

// Recording is a finished run.
type Recording struct {
	Origin
	// Hash is the trace hash: the SHA-256 of the lines that were read.
	Hash string
	// Replay has the objects of the store, Caches those of the informers.
	Replay *trace.Replay
	Caches *Caches

	records *records
	// epoch is the time of At 0, once an object has shown it.
	epoch  time.Time
	index  index
	causes *trace.Causes

	// What follows is made when it is asked for: see lookup. stored is that of the store, informed that of what Caches had received, and
	// held that of the objects in them.
	stored, informed, held, lived, synced, requested lookup

	lives     *lives
	workloads sync.Once
	tops      []*Workload
	// requests are those of each actor about each object.
	requests map[requestOf][]int64
	queues   *queues
	objects  func() []trace.Object

	// descriptions and bonds are cached; nothing else of a recording changes, as far as others can see.
	descriptions map[int64]*description
	bonds        map[versionOf]bond
}

// requestOf is an actor and the object of its requests.
type requestOf struct {
	actor  string
	object trace.Object
}

// Len is the number of the last record.
func (r *Recording) Len() int64 { return r.records.len() }

// Record returns record seq, or nil if there is none. It must not be modified. In a large recording, records that are
// far apart take some milliseconds each.
func (r *Recording) Record(seq int64) *trace.Record { return r.records.get(seq) }

// Opened is how many blocks of an archive were decompressed, of those whose outlines were read instead of their records.
func (r *Recording) Opened() (opened, of int) {
	r.records.mu.Lock()
	defer r.records.mu.Unlock()
	return r.records.opened, r.records.outlined
}

// Unpacked is how often a block was decompressed. A block that is needed again after it was dropped counts again.
func (r *Recording) Unpacked() int { return int(r.records.unpacked.Load()) }

// Begins reports whether the recording can be the first part of another one: the last record that it has is the same in both, as far as
// that is known without decoding it.
func (r *Recording) Begins(whole *Recording) bool {
	last := r.Len()
	if last == 0 || whole.Len() < last {
		return last == 0
	}
	a, b := r.records.facts.of(last), whole.records.facts.of(last)
	return a.at == b.at && a.cause == b.cause && a.is == b.is && r.Kind(last) == whole.Kind(last) && r.Actor(last) == whole.Actor(last)
}

// All yields all records, in order.
func (r *Recording) All() iter.Seq[*trace.Record] { return r.After(0) }

// After yields the records behind a number, in order.
func (r *Recording) After(seq int64) iter.Seq[*trace.Record] { return r.records.after(seq, nil) }

// Of yields the records of some kinds, in order.
func (r *Recording) Of(kinds ...trace.Kind) iter.Seq[*trace.Record] {
	var seqs []int64
	for _, kind := range kinds {
		seqs = append(seqs, r.OfKind(kind)...)
	}
	slices.Sort(seqs)
	return func(yield func(*trace.Record) bool) {
		for _, seq := range seqs {
			if !yield(r.Record(seq)) {
				return
			}
		}
	}
}

// Kind and Actor are those of record seq, which must exist.
func (r *Recording) Kind(seq int64) trace.Kind { return r.records.facts.kind(seq) }
func (r *Recording) Actor(seq int64) string    { return r.records.facts.actor(seq) }

// At is the virtual time of record seq.
func (r *Recording) At(seq int64) time.Duration {
	if seq < 1 || seq > r.Len() {
		return 0
	}
	return r.records.facts.of(seq).at
}

// RequestsOf lists the requests of an actor that name an object.
func (r *Recording) RequestsOf(actor string, o trace.Object) []int64 {
	r.need(&r.requested)
	return r.requests[requestOf{actor, o}]
}

// Versions are the writes of an object, in order.
func (r *Recording) Versions(o trace.Object) []Version { return r.Caches.Store().Versions(o) }

// VersionAt is the index in Versions of the version in the store after record seq, or -1.
func (r *Recording) VersionAt(o trace.Object, seq int64) int { return r.Caches.Store().At(o, seq) }

// MostObjects is how many objects there were of the resource that had most of them in the whole recording.
func (r *Recording) MostObjects() (most int) {
	for _, of := range r.Caches.Store().resources {
		most = max(most, len(of.objects))
	}
	return most
}

// Writes counts the writes of a resource up to record seq.
func (r *Recording) Writes(resource string, seq int64) int {
	return len(r.Caches.Store().writes(resource, 0, seq))
}

// WriteAfter is the first record that wrote an object of a resource after a revision; 0 if none did.
func (r *Recording) WriteAfter(resource string, rv uint64) int64 {
	if newer := r.Caches.Store().writes(resource, rv, r.Len()); len(newer) > 0 {
		return newer[0].Seq
	}
	return 0
}

// SyncEnd is the record that ended the sync that began at start, or 0.
func (r *Recording) SyncEnd(start int64) int64 {
	if s := r.span(start); s != nil {
		return s.ended
	}
	return 0
}

// SyncOf is the start of the sync that record seq belongs to, or 0.
func (r *Recording) SyncOf(seq int64) int64 {
	record := r.Record(seq)
	if record == nil {
		return 0
	}
	if record.Sync != nil {
		if record.Sync.Phase == trace.PhaseEnd {
			return record.Sync.Start
		}
		return seq
	}
	if cause := r.Record(record.Cause); cause != nil && cause.Sync != nil && cause.Actor == record.Actor &&
		(record.Request != nil || record.Event != nil || record.Log != nil || record.Timer != nil) {
		return record.Cause
	}
	return 0
}

func compare[T int64 | time.Duration](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
