package archive

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"hash"
	"io"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/outline"
)

// Writer writes an archive. Its methods must not be called concurrently. After an error, it writes nothing.
type Writer struct {
	out    io.Writer
	codec  *Codec
	offset int64
	err    error

	block   []byte
	outline *outline.Encoder
	entry   Entry
	index   Index
	lines   hash.Hash
}

// NewWriter writes the header. Call it outside of a bubble (testing/synctest).
func NewWriter(out io.Writer, header Header) (*Writer, error) {
	w := &Writer{out: out, codec: SharedCodec(), lines: sha256.New(), outline: outline.NewEncoder()}
	w.index.Blocks = []Entry{}
	w.write(binary.LittleEndian.AppendUint32([]byte(signature), Version))
	w.writeJSON(kindHeader, header)
	return w, w.err
}

// Write adds a record with its line, which ends in a newline.
func (w *Writer) Write(record *trace.Record, line []byte) error {
	if len(w.block) > 0 && len(w.block)+len(line) > blockSize {
		w.flush()
	}
	if w.entry.Records == 0 {
		w.entry = Entry{First: record.Seq, At: record.At}
	}
	w.block = append(w.block, line...)
	w.entry.Records++
	w.outline.Add(record)
	if record.Halt == nil {
		w.lines.Write(line)
	}
	return w.err
}

// flush writes the block.
func (w *Writer) flush() {
	if w.entry.Records == 0 {
		return
	}
	packed := packOutline(w.codec, w.outline.Block())
	w.entry.Outline = uint32(len(packed))
	packed = append(packed, w.codec.Pack(w.block)...)
	f := newFrame(kindBlock, packed, len(w.block))
	w.entry.Offset, w.entry.Size, w.entry.Text, w.entry.Sum = w.offset, f.size, f.text, f.sum
	w.index.Blocks = append(w.index.Blocks, w.entry)
	w.index.Records += w.entry.Records
	w.index.Text += int64(len(w.block))
	w.writeFrame(f, packed)
	w.block, w.entry = w.block[:0], Entry{}
}

// Close writes what completes the archive: the last block, the index and the end. It does not close the io.Writer.
func (w *Writer) Close(end End) error {
	w.flush()
	w.index.End = end
	w.index.Lines = sumText(w.lines)
	at := w.offset
	w.writeJSON(kindIndex, w.index)
	w.write(append(binary.LittleEndian.AppendUint64(nil, uint64(at)), endMark...))
	return w.err
}

// sumText is a hash in the form of trace hashes.
func sumText(h hash.Hash) string { return "sha256:" + hex.EncodeToString(h.Sum(nil)) }

func (w *Writer) writeJSON(kind string, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		panic("archive: a value does not marshal: " + err.Error())
	}
	packed := w.codec.Pack(text)
	w.writeFrame(newFrame(kind, packed, len(text)), packed)
}

func (w *Writer) writeFrame(f frame, packed []byte) {
	w.write(f.bytes())
	w.write(packed)
}

func (w *Writer) write(data []byte) {
	if w.err != nil {
		return
	}
	n, err := w.out.Write(data)
	w.offset += int64(n)
	w.err = err
}
