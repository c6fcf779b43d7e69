package recording

import (
	"bytes"
	"io"
	"iter"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
	"github.com/kubestep/kubestep/sim/trace/file/outline"
	"github.com/kubestep/kubestep/sim/trace/file/tracefile"
)

// records holds the records of a run. A large trace is twenty times as large in memory as its compressed lines, so only
// some blocks of it are decoded at a time, and of a block that was dropped only the records that are asked for. What many records are
// asked for is kept for all of them: see facts.
type records struct {
	facts facts

	// mu guards the rest: a branch is compared with its parent while the parent is shown.
	mu     sync.Mutex
	blocks []*block
	codec  *archive.Codec
	// decoded is the size of the lines of all blocks that are decoded, and clock counts the uses of blocks.
	decoded int
	clock   int64
	// kept is the archive with the blocks that have an entry.
	kept io.ReaderAt
	// text changes the lines of blocks that come from outlines, if it is not nil.
	text func([]byte) []byte
	// outlined and opened count the blocks that came as outlines, and those of them whose lines were needed.
	outlined, opened int
	// unpacked counts how often a block was decompressed, also by who goes through all records without the lock.
	unpacked atomic.Int64
}

// block is a part of the records.
type block struct {
	// first is the number of the first of n records.
	first int64
	n     int
	// packed is the compressed text of size bytes; nil while that was not needed, and if it is in the file: entry is where, then.
	packed []byte
	entry  *archive.Entry
	size   int
	// records is nil if the block is not decoded; used is when they were needed last.
	records []*trace.Record
	used    int64
	// lines are the lines of a block that was dropped, of which left records are not decoded yet and nil.
	lines [][]byte
	left  int
	// outlined is how many records the outline of the block has, if only that was read, so far: the records are compared with it. outline
	// is that, packed, and said what it says of each record once the block was decoded (outline.Digest). offset is where the block is in
	// the archive, and opened says that its lines were needed.
	outlined int
	outline  []byte
	said     []uint64
	offset   int64
	opened   bool
}

const (
	// decodedMax is the size of the lines that are decoded at a time. In memory, a record takes twice its line.
	decodedMax = 32 << 20
	// blockRecords is how many records a block has that does not come from a file, and lineSize the usual size of a line.
	blockRecords, lineSize = 1000, 500
)

func newRecords() *records {
	return &records{facts: facts{number: map[string]uint16{}}, codec: archive.SharedCodec()}
}

func (r *records) len() int64 { return r.facts.n }

// keep adds a record of which no text is known.
func (r *records) keep(record *trace.Record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := len(r.blocks) - 1
	if last < 0 || r.blocks[last].isPacked() || r.blocks[last].n == blockRecords {
		r.blocks = append(r.blocks, &block{first: record.Seq})
		r.evict(nil)
		last++
	}
	b := r.blocks[last]
	r.clock++
	b.records, b.n, b.size, b.used = append(b.records, record), b.n+1, b.size+lineSize, r.clock
	r.decoded += lineSize
}

// keepPiece adds the records of a piece that was decoded.
func (r *records) keepPiece(piece *tracefile.Piece) {
	if len(piece.Records) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.clock++
	r.blocks = append(r.blocks, &block{
		first: piece.Records[0].Seq, n: len(piece.Records), packed: piece.Packed, size: piece.Size, records: piece.Records, used: r.clock,
		offset: piece.Offset,
	})
	r.decoded += piece.Size
	r.evict(nil)
}

// keepOutline adds n records of which only the outline was read.
func (r *records) keepOutline(piece *tracefile.Piece, n int) {
	if n == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.outlined++
	b := &block{first: piece.Outline.First, n: n, outlined: int(piece.Outline.N), size: piece.Size, offset: piece.Offset}
	if b.packed, b.outline = piece.Packed, piece.PackedOutline; r.kept != nil {
		entry := piece.Entry()
		b.packed, b.outline, b.entry = nil, nil, &entry
	}
	r.blocks = append(r.blocks, b)
}

// evict drops the decoded records that were not needed for the longest time, but not those of the block that is needed
// now: a foreign archive can have blocks that are larger than decodedMax. The newest block may still grow.
func (r *records) evict(needed *block) {
	for r.decoded > decodedMax {
		var oldest *block
		for _, b := range r.blocks[:len(r.blocks)-1] {
			if b != needed && b.records != nil && (oldest == nil || b.used < oldest.used) {
				oldest = b
			}
		}
		if oldest == nil {
			return
		}
		r.decoded -= oldest.size
		if !oldest.isPacked() {
			oldest.pack(r.codec)
		}
		oldest.records, oldest.lines, oldest.left = nil, nil, 0
	}
}

// pack compresses a block.
func (b *block) pack(codec *archive.Codec) {
	var text bytes.Buffer
	for _, record := range b.records {
		text.Write(record.Line())
	}
	b.packed, b.size = codec.Pack(text.Bytes()), text.Len()
}

// of is the index of the block of record seq.
func (r *records) of(seq int64) int {
	return sort.Search(len(r.blocks), func(i int) bool { return r.blocks[i].first > seq }) - 1
}

// get is record seq, or nil if there is none.
func (r *records) get(seq int64) *trace.Record {
	if seq < 1 || seq > r.len() {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	b := r.blocks[r.of(seq)]
	if b.records == nil {
		r.unpack(b)
		r.decoded += b.size
		r.clock++
		b.used = r.clock
		r.evict(b)
	}
	r.clock++
	b.used = r.clock
	return r.decode(b, int(seq-b.first))
}

// after yields the records behind a number that a function chooses, in order, or all if it is nil. It decompresses each block at most
// once and keeps none decoded.
func (r *records) after(seq int64, choose func(*fact) bool) iter.Seq[*trace.Record] {
	return func(yield func(*trace.Record) bool) {
		for _, b := range r.blocks[max(r.of(seq+1), 0):] {
			r.mu.Lock()
			// A block that is decoded completely does not change any more, apart from its end.
			own := *b
			if own.lines = nil; b.left > 0 {
				own.records = nil
			}
			if b.outlined > 0 && !b.opened {
				b.opened, own.opened = true, true
				r.opened++
			}
			r.mu.Unlock()
			if own.records == nil {
				r.unpack(&own)
			}
			for i := range own.records[min(max(seq+1-b.first, 0), int64(len(own.records))):] {
				i += int(max(seq+1-b.first, 0))
				if choose != nil && !choose(r.facts.of(b.first+int64(i))) {
					continue
				}
				if !yield(r.decode(&own, i)) {
					return
				}
			}
		}
	}
}

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
