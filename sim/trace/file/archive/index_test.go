package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/sim/trace"
)

// written is an archive of notes, with several blocks. edit changes its index before it is written.
func written(t *testing.T, edit func(*Index)) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(&out, Header{})
	if err != nil {
		t.Fatal(err)
	}
	for seq := int64(1); seq <= 30; seq++ {
		note := &trace.Note{Text: fmt.Sprint(seq, strings.Repeat("x", 100_000))}
		record := &trace.Record{Seq: seq, At: time.Duration(seq), Kind: trace.KindNote, Note: note}
		if err := w.Write(record, record.Line()); err != nil {
			t.Fatal(err)
		}
	}
	w.flush()
	if edit != nil {
		edit(&w.index)
	}
	if err := w.Close(End{Result: "pass", Virtual: time.Minute}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestReadIndex reads the index alone, and gets what a reader of the whole archive gets.
func TestReadIndex(t *testing.T) {
	data := written(t, nil)
	got, err := ReadIndex(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var want Index
	at := bytes.LastIndex(data, []byte(kindIndex))
	f, err := parseFrame(data[at:])
	if err != nil {
		t.Fatal(err)
	}
	text, err := SharedCodec().Unpack(data[at+frameSize:][:f.size], int(f.text))
	if err == nil {
		err = json.Unmarshal(text, &want)
	}
	if unequal := cmp.Diff(&want, got); err != nil || unequal != "" || got.Records != 30 || len(got.Blocks) != 6 || got.Result != "pass" {
		t.Errorf("%v, the index (-want +got)\n%s", err, unequal)
	}
}

// TestReadIndexOfDamage refuses an index that is not there, not whole, or not that of any archive.
func TestReadIndexOfDamage(t *testing.T) {
	data := written(t, nil)
	at := bytes.LastIndex(data, []byte(kindIndex))
	flipped := func(offset int) []byte {
		changed := bytes.Clone(data)
		changed[offset] ^= 1
		return changed
	}
	for name, of := range map[string][]byte{
		"no bytes":                   nil,
		"a part":                     data[:len(data)/2],
		"no end":                     data[:len(data)-1],
		"more behind the end":        append(bytes.Clone(data), 0),
		"another offset":             flipped(len(data) - endSize),
		"another mark":               flipped(len(data) - 1),
		"another kind":               flipped(at),
		"another size":               flipped(at + 4),
		"another content":            flipped(at + frameSize + 5),
		"a block that overlaps":      written(t, func(i *Index) { i.Blocks[2].Offset-- }),
		"a block without records":    written(t, func(i *Index) { i.Blocks[2].Records = 0 }),
		"records that do not follow": written(t, func(i *Index) { i.Blocks[2].First++ }),
		"another sum of records":     written(t, func(i *Index) { i.Records++ }),
		"another sum of text":        written(t, func(i *Index) { i.Text++ }),
		"a block behind the index":   written(t, func(i *Index) { i.Blocks[len(i.Blocks)-1].Size += 1 << 20 }),
	} {
		var bad *Error
		if index, err := ReadIndex(bytes.NewReader(of), int64(len(of))); !errors.As(err, &bad) || index != nil {
			t.Errorf("%s: %v, %v", name, index, err)
		}
	}
}
