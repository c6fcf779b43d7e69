package recording

import (
	"strings"
	"testing"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
)

// A foreign archive can have a block that is larger than all that is kept decoded, and its records are still there.
func TestBlocksLargerThanTheBudget(t *testing.T) {
	held := &records{number: map[string]uint16{}, codec: archive.SharedCodec()}
	text := strings.Repeat("a", decodedMax+1)
	for seq := int64(1); seq <= 3; seq++ {
		record := &trace.Record{Seq: seq, Kind: trace.KindNote, Note: &trace.Note{Text: text}}
		held.note(record, false)
		line := record.Line()
		held.keepBlock([]*trace.Record{record}, held.codec.Pack(line), len(line))
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
	codec := archive.SharedCodec()
	b := &block{first: 1}
	text := strings.Repeat("a", 1<<20)
	for seq := int64(1); seq <= 66; seq++ {
		b.records = append(b.records, &trace.Record{Seq: seq, Kind: trace.KindNote, Note: &trace.Note{Text: text}})
		b.n++
	}
	b.pack(codec)
	if got := b.decode(codec); len(got) != b.n || got[b.n-1].Note.Text != text {
		t.Errorf("%d of %d records are there", len(got), b.n)
	}
}
