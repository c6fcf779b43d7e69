package syncs

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/kubestep/kubestep/sim/engine/activity"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/attempt"
)

// maxReads bounds the recorded reads of one sync; reading all pods of a namespace is one list.
const maxReads = 64

// Sync is one sync of a key by a worker.
type Sync struct {
	Actor string
	Queue string

	queue  *queue
	traits Traits
	begun  time.Duration
	// inOrder means that one goroutine begins all syncs of the queue, one after the other.
	inOrder bool
	// due is when the key was added to its queue, and byTimer means that a delay was over then.
	due     time.Duration
	byTimer bool
	// limited means that the sync asked for a rate-limited addition. Only its own goroutine uses it.
	limited bool
	// base is the worker's activity between two syncs.
	base *activity.Activity

	mu sync.Mutex
	// start records the beginning; nil afterwards.
	start func()
	key   string
	seq   int64
	ended time.Duration
	// looked means that it has begun to read.
	looked bool
	reads  []trace.Read
	seen   map[trace.Object]bool
	// over means that the record of the end is written.
	over     bool
	requests int
	writes   int
	requeued bool
	// refused counts the requests that failed.
	refused int
	err     string
	// told is the error of the last line that the sync logged, and retried the one of the line before it requeued its key.
	told, retried string
	stale         bool
	attempt       *attempt.Attempt
	// answers counts the answers that the sync has received, and memory is what it has learned.
	answers int
	memory  memory
	// request means that controller-runtime's log told of the sync, and not a queue.
	request bool
}

// Seq is the number of the record of the sync's start; 0 until that is written.
func (s *Sync) Seq() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seq
}

// Key is the namespace/name that is synced, or "" while it is unknown.
func (s *Sync) Key() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.key
}

// Sent counts a request of this sync and the writes that it made.
func (s *Sync) Sent(writes int, failed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	s.writes += writes
	if failed {
		s.refused++
	}
}

// looksFirst reports whether the sync has not read any cache before.
func (s *Sync) looksFirst() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := !s.looked && s.ended == never
	s.looked = true
	return first
}

// read records a read of a cache. Repeated reads of one object count once.
func (s *Sync) read(read trace.Read) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over || s.seen[read.Object] || len(s.reads) == maxReads {
		return
	}
	if s.seen == nil {
		s.seen = map[trace.Object]bool{}
	}
	s.seen[read.Object] = true
	s.reads = append(s.reads, read)
	if s.key == "" && read.Name != "" {
		s.key = read.Name
		if read.Namespace != "" {
			s.key = read.Namespace + "/" + read.Name
		}
	}
}

// named sets the key if it is unknown.
func (s *Sync) named(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.key == "" {
		s.key = key
	}
}

// requeues notes that the key is added again.
func (s *Sync) requeues() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requeued, s.retried = true, s.told
}

// tells notes the error of a line that the sync logged. Some controllers report the error of a sync in a line of information only,
// and then requeue the key: endpointslice-controller, with "Error syncing endpoint slices for service, retrying".
func (s *Sync) tells(err string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.told = err
}

// failure is the error of the sync. One that is known from a log line counts if no request of the sync failed: otherwise the record of
// that request has it.
func (s *Sync) failure() string {
	if s.err == "" && s.refused == 0 && !s.inOrder {
		return s.retried
	}
	return s.err
}

// failed sets the error, except of the sync of a Loop: see Loop.End.
func (s *Sync) failed(err string, stale bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == "" && !s.inOrder {
		s.err, s.stale = err, stale
	}
}

// end fills the record of the sync's end.
func (s *Sync) end(record *trace.Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	record.Cause = s.seq
	if s.traits.SortReads {
		slices.SortFunc(s.reads, func(a, b trace.Read) int {
			return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
		})
	}
	record.Sync = &trace.Sync{
		Phase: trace.PhaseEnd, Queue: s.Queue, Key: s.key, Start: s.seq, Duration: s.ended - s.begun,
		Reads: s.reads, Requests: s.requests, Writes: s.writes, Requeued: s.requeued, Error: s.failure(), Stale: s.stale,
		Attempt: s.attempt,
	}
	// Its goroutines may live on, and they keep the sync.
	s.reads, s.seen, s.over = nil, nil, true
}
