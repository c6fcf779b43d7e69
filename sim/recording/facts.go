package recording

import (
	"slices"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/outline"
)

// facts are what is known of each record without decoding it, in 16 bytes.
type facts struct {
	// chunks have factsChunk facts each, so that those of a long recording do not move while it grows.
	chunks [][]fact
	n      int64
	// actors and kinds are the names that facts refer to.
	actors []string
	kinds  []trace.Kind
	number map[string]uint16
}

const factsChunk = 1 << 14

// fact is what is known of a record.
type fact struct {
	at    time.Duration
	cause int32
	actor uint16
	kind  uint8
	is    is
}

// is are properties of a record.
type is uint8

const (
	isStory is = 1 << iota
	isFailed
	isBackground
	// isWrite is a request that wrote something, and isStart the start of a sync.
	isWrite
	isStart
)

// factOf is the fact of a record, but for the numbers of its actor and its kind.
func factOf(record *trace.Record, story, failed, wrote bool) fact {
	f := fact{at: record.At, cause: int32(record.Cause)}
	start := record.Sync != nil && record.Sync.Phase == trace.PhaseStart
	for i, set := range []bool{story, failed, record.Background, wrote, start} {
		if set {
			f.is |= 1 << i
		}
	}
	return f
}

// note adds the next record.
func (f *facts) note(record *outline.Record) {
	kind := slices.Index(f.kinds, record.Kind)
	if kind < 0 {
		kind = len(f.kinds)
		f.kinds = append(f.kinds, record.Kind)
	}
	actor, known := f.number[record.Actor]
	if !known {
		actor = uint16(len(f.actors))
		f.number[record.Actor] = actor
		f.actors = append(f.actors, record.Actor)
	}
	next := factOf(&record.Record, record.Story, record.Failed, record.Wrote)
	next.actor, next.kind = actor, uint8(kind)
	if f.n%factsChunk == 0 {
		// A short recording does not need a whole chunk.
		size := factsChunk
		if f.n == 0 {
			size = 0
		}
		f.chunks = append(f.chunks, make([]fact, 0, size))
	}
	last := len(f.chunks) - 1
	f.chunks[last] = append(f.chunks[last], next)
	f.n++
}

// of is the fact of record seq, which must exist.
func (f *facts) of(seq int64) *fact { return &f.chunks[(seq-1)/factsChunk][(seq-1)%factsChunk] }

// seqs are the records with a fact that a function chooses.
func (f *facts) seqs(choose func(*fact) bool) []int64 {
	n := 0
	for seq := int64(1); seq <= f.n; seq++ {
		if choose(f.of(seq)) {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	list := make([]int64, 0, n)
	for seq := int64(1); seq <= f.n; seq++ {
		if choose(f.of(seq)) {
			list = append(list, seq)
		}
	}
	return list
}

// kind and actor are those of record seq, which must exist.
func (f *facts) kind(seq int64) trace.Kind { return f.kinds[f.of(seq).kind] }
func (f *facts) actor(seq int64) string    { return f.actors[f.of(seq).actor] }
