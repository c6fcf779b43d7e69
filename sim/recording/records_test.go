package recording

import (
	"strings"
	"testing"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
	"github.com/kubestep/kubestep/sim/trace/file/outline"
	"github.com/kubestep/kubestep/sim/trace/file/tracefile"
)

// A foreign archive can have a block that is larger than all that is kept decoded, and its records are still there.
func TestBlocksLargerThanTheBudget(t *testing.T) {
	held := newRecords()
	text := strings.Repeat("a", decodedMax+1)
	for seq := int64(1); seq <= 3; seq++ {
		record := &trace.Record{Seq: seq, Kind: trace.KindNote, Note: &trace.Note{Text: text}}
		held.facts.note(&outline.Record{Record: *record})
		line := record.Line()
		held.keepPiece(&tracefile.Piece{Records: []*trace.Record{record}, Packed: held.codec.Pack(line), Size: len(line)})
	}
	for _, seq := range []int64{1, 2, 3, 1} {
		if got := held.get(seq); got == nil || got.Seq != seq || got.Note.Text != text {
			t.Errorf("record %d is lost", seq)
		}
	}
	if held.decoded > 2*(decodedMax+1000) { // one block that is needed, and the newest
		t.Errorf("%d bytes are decoded", held.decoded)
	}
}

// Blocks of records that are dropped are decoded again, however long their lines are together: the limit of a block in a file
// is none for a block in memory.
func TestBlocksLargerThanInFiles(t *testing.T) {
	held := &records{codec: archive.SharedCodec()}
	b := &block{first: 1}
	text := strings.Repeat("a", 1<<20)
	for seq := int64(1); seq <= 66; seq++ {
		b.records = append(b.records, &trace.Record{Seq: seq, Kind: trace.KindNote, Note: &trace.Note{Text: text}})
		b.n++
	}
	b.pack(held.codec)
	held.unpack(b)
	for i := range b.n {
		if got := held.decode(b, i); got.Seq != int64(i+1) || got.Note.Text != text {
			t.Fatalf("record %d is lost", i+1)
		}
	}
}

// Of a block that was dropped, only the records that are asked for are decoded, each of them once.
func TestDecodesWhatIsAskedFor(t *testing.T) {
	held := newRecords()
	var block []*trace.Record
	var lines []byte
	for seq := int64(1); seq <= 20; seq++ {
		record := &trace.Record{Seq: seq, Kind: trace.KindNote, Note: &trace.Note{Text: strings.Repeat("a", int(seq))}}
		held.facts.note(&outline.Record{Record: *record})
		block, lines = append(block, record), append(lines, record.Line()...)
	}
	held.keepPiece(&tracefile.Piece{Records: block, Packed: held.codec.Pack(lines), Size: len(lines)})
	b := held.blocks[0]
	b.records, held.decoded = nil, 0
	third := held.get(3)
	if held.get(3) != third || third.Seq != 3 || b.left != 19 || held.decoded != len(lines) {
		t.Errorf("record %d: %d records are not decoded, %d of %d bytes count", third.Seq, b.left, held.decoded, len(lines))
	}
	n := int64(5)
	for record := range held.after(n, nil) {
		if n++; record.Seq != n || record.Note.Text != strings.Repeat("a", int(n)) {
			t.Errorf("record %d is in the place of record %d", record.Seq, n)
		}
	}
	if n != 20 || b.left != 19 {
		t.Errorf("the last record is %d, and %d records are not decoded", n, b.left)
	}
	for seq := int64(1); seq <= 20; seq++ {
		held.get(seq)
	}
	if b.left != 0 || b.lines != nil {
		t.Errorf("%d records are not decoded, %d lines are kept", b.left, len(b.lines))
	}
}
