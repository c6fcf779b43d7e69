package tracefile

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
)

// linesOf are so many records as JSON lines, with a halt record behind them if asked.
func linesOf(n int, halt bool) []byte {
	var out bytes.Buffer
	for i := range n {
		// A sum is a text that hardly shrinks.
		note := &trace.Note{Text: fmt.Sprintf("note %d %x %s", i, sha256.Sum256([]byte{byte(i), byte(i >> 8)}), strings.Repeat("text ", 180))}
		out.Write((&trace.Record{Seq: int64(i) + 1, At: time.Duration(i) * time.Millisecond, Kind: trace.KindNote, Note: note}).Line())
	}
	if halt {
		last := &trace.Record{Seq: int64(n) + 1, At: time.Hour, Kind: trace.KindHalt, Halt: &trace.Halt{Reason: trace.HaltMemory, Message: "full"}}
		out.Write(last.Line())
	}
	return out.Bytes()
}

func archiveOf(t testing.TB, lines []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Convert(bytes.NewReader(lines), Archive(&out, "test.jsonl")); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestConvert converts both ways: the lines and the trace hash stay the same, and so do the bytes of an archive.
func TestConvert(t *testing.T) {
	for _, halt := range []bool{false, true} {
		lines := linesOf(3000, halt)
		packed := archiveOf(t, lines)
		if len(packed) > len(lines)/8 {
			t.Errorf("%d bytes of lines make an archive of %d", len(lines), len(packed))
		}
		var back bytes.Buffer
		if err := Convert(bytes.NewReader(packed), Lines(&back)); err != nil || !bytes.Equal(back.Bytes(), lines) {
			t.Errorf("halt %t: the lines differ, %v", halt, err)
		}
		if again := archiveOf(t, packed); !bytes.Equal(again, archiveOf(t, packed)) {
			t.Error("two archives of one trace differ")
		}
		file, err := New(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		for range file.Pieces(nil) {
		}
		hash, err := trace.HashLines(bytes.NewReader(linesOf(3000, false)))
		if index := file.Index(); err != nil || index == nil || index.Lines != hash || len(index.Blocks) < 5 {
			t.Errorf("index %+v, want the hash %s and several blocks", index, hash)
		}
	}
}

// TestConvertChecksOutlines converts archives of which a block has the outline of other records, as somebody could make one to hide some.
func TestConvertChecksOutlines(t *testing.T) {
	for lie, want := range map[string]string{"": "", "kubelet": "byte 39: the block: its outline differs from its records"} {
		var data bytes.Buffer
		writer, err := archive.NewWriter(&data, archive.Header{})
		if err != nil {
			t.Fatal(err)
		}
		for seq := int64(1); seq <= 3; seq++ {
			record := trace.Record{Seq: seq, Kind: trace.KindNote, Actor: "kubectl", Note: &trace.Note{Text: "hello"}}
			said := record
			if seq == 2 && lie != "" {
				said.Actor = lie
			}
			if err := writer.Write(&said, record.Line()); err != nil {
				t.Fatal(err)
			}
		}
		if err := writer.Close(archive.End{}); err != nil {
			t.Fatal(err)
		}
		err = Convert(bytes.NewReader(data.Bytes()), Lines(io.Discard))
		if got := fmt.Sprint(err); lie == "" && err != nil || lie != "" && got != want {
			t.Errorf("%q: %v, want %q", lie, err, want)
		}
	}
}

// TestText changes lines before they are decoded: the records and what is packed have the change, and the lines do not.
func TestText(t *testing.T) {
	for name, data := range map[string][]byte{"lines": linesOf(10, false), "archive": archiveOf(t, linesOf(10, false))} {
		file, err := New(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		for piece := range file.Pieces(func(lines []byte) []byte { return bytes.ReplaceAll(lines, []byte("note 7"), []byte("NOTE 7")) }) {
			if text := piece.Records[7].Note.Text; !strings.HasPrefix(text, "NOTE 7") || bytes.Contains(piece.Lines, []byte("NOTE")) {
				t.Errorf("%s: %q", name, text)
			}
			packed, err := archive.SharedCodec().Unpack(piece.Packed, piece.Size)
			if err != nil || !bytes.Contains(packed, []byte("NOTE 7")) {
				t.Errorf("%s: packed without the change, %v", name, err)
			}
		}
	}
}

// TestDamage reads archives with every kind of damage: each script line makes one, and shows what is read and the error.
//
//	flip BYTE        inverts a byte; negative numbers count from the end
//	cut BYTES        keeps only the first bytes
//	append TEXT      adds text
//	put BYTE VALUE   sets four bytes to a number; seal then corrects the checksum of the frame there
func TestDamage(t *testing.T) {
	whole := archiveOf(t, linesOf(3000, false))
	datadriven.RunTest(t, "testdata/damage.txt", func(t *testing.T, d *datadriven.TestData) string {
		data := bytes.Clone(whole)
		for line := range strings.Lines(d.Input) {
			data = damage(t, data, strings.Fields(line))
		}
		return read(data)
	})
}

func damage(t *testing.T, data []byte, words []string) []byte {
	at := 0
	if len(words) > 1 && words[0] != "append" {
		if _, err := fmt.Sscan(words[1], &at); err != nil {
			t.Fatal(err)
		}
	}
	if at < 0 {
		at += len(data)
	}
	switch words[0] {
	case "flip":
		data[at] ^= 0xff
	case "cut":
		data = data[:at]
	case "append":
		data = append(data, words[1]...)
	case "put":
		var value uint32
		if _, err := fmt.Sscan(words[2], &value); err != nil {
			t.Fatal(err)
		}
		binary.LittleEndian.PutUint32(data[at:], value)
	case "seal":
		size := int(binary.LittleEndian.Uint32(data[at+4:]))
		table := crc32.MakeTable(crc32.Castagnoli)
		sum := crc32.Update(crc32.Checksum(data[at:at+12], table), table, data[at+16:at+16+size])
		binary.LittleEndian.PutUint32(data[at+12:], sum)
	default:
		t.Fatalf("unknown damage %q", words)
	}
	return data
}

// read says how much of a trace can be read.
func read(data []byte) string {
	file, err := New(bytes.NewReader(data))
	records := 0
	if err == nil {
		for piece := range file.Pieces(nil) {
			records += len(piece.Records)
			err = piece.Err
		}
	}
	text := fmt.Sprintf("%d records\n", records)
	if err != nil {
		text += err.Error() + "\n"
	}
	var bad *archive.Error
	if errors.As(err, &bad) {
		text += "Try: " + bad.Try() + "\n"
	}
	return text
}

// TestSwollen refuses an archive that has far more text than its size allows, before the text is decompressed.
func TestSwollen(t *testing.T) {
	var lines bytes.Buffer
	for i := range 12 {
		note := &trace.Note{Text: strings.Repeat("a", 16<<20)}
		lines.Write((&trace.Record{Seq: int64(i) + 1, Kind: trace.KindNote, Note: note}).Line())
	}
	packed := archiveOf(t, lines.Bytes())
	var bad *archive.Error
	err := Convert(bytes.NewReader(packed), Lines(io.Discard))
	if !errors.As(err, &bad) || bad.Kind != archive.Swollen || bad.Try() == "" {
		t.Errorf("%d bytes with %d MiB of text: %v", len(packed), lines.Len()>>20, err)
	}
}

// TestEveryFlippedByte finds each damaged byte of a small archive, wherever it is.
func TestEveryFlippedByte(t *testing.T) {
	whole := archiveOf(t, linesOf(3, false))
	for at := range whole {
		data := bytes.Clone(whole)
		data[at] ^= 1
		if err := Convert(bytes.NewReader(data), Lines(&bytes.Buffer{})); err == nil {
			t.Errorf("byte %d of %d is damaged, and nothing was noticed", at, len(whole))
		}
	}
	for size := range whole {
		if err := Convert(bytes.NewReader(whole[:size]), Lines(&bytes.Buffer{})); err == nil {
			t.Errorf("%d bytes of %d are read as an archive", size, len(whole))
		}
	}
}

// FuzzRead reads whatever a file holds: it ends with records that follow each other, or with an error, and takes no more
// memory than a few blocks.
func FuzzRead(f *testing.F) {
	for _, lines := range [][]byte{linesOf(3, false), linesOf(3, true)} {
		f.Add(lines)
		f.Add(archiveOf(f, lines))
		f.Add(archiveOf(f, lines)[:100])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var lines bytes.Buffer
		if err := Convert(bytes.NewReader(data), Lines(&lines)); err != nil {
			return
		}
		if err := trace.Verify(bytes.NewReader(lines.Bytes()), ""); err != nil && !bytes.Contains(lines.Bytes(), []byte(`"halt"`)) {
			t.Errorf("what was converted is not a trace: %v", err)
		}
	})
}
