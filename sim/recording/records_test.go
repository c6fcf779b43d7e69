package recording

import (
	"strings"
	"testing"

	"github.com/kubestep/kubestep/sim/archive"
	"github.com/kubestep/kubestep/sim/trace"
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
