package tracefile

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
	"github.com/kubestep/kubestep/sim/trace/file/input"
	"github.com/kubestep/kubestep/sim/trace/file/outline"
)

// Suffix is the suffix of the names of files of JSON lines.
const Suffix = ".jsonl"

// Is reports whether a file is a trace, by its content and nothing else.
func Is(path string) bool {
	kind := input.What(path)
	return kind == input.Trace || kind == input.Archive
}

// Open opens a file for New.
func Open(path string) (*input.File, error) { return input.Open(path, input.Trace, input.Archive) }

// IsMeant reports whether a file is to be read as a trace: it is one, or its content is nothing that is known and its name is that of a
// trace, so that the error is about a trace.
func IsMeant(path string) bool { return Is(path) || input.What(path) == input.Unknown && HasName(path) }

// HasName reports whether a name is that of a trace.
func HasName(path string) bool {
	return strings.HasSuffix(path, Suffix) || strings.HasSuffix(path, archive.Suffix)
}

// Name is the name of a file without a suffix of traces.
func Name(base string) string {
	return strings.TrimSuffix(strings.TrimSuffix(base, Suffix), archive.Suffix)
}

// File is a trace that is read from its beginning to its end.
type File struct {
	// Header is that of an archive; nil for JSON lines.
	Header *archive.Header

	from  source
	read  *counter
	codec *archive.Codec
}

// New begins to read a trace. The error is an *archive.Error. Call it outside of a bubble (testing/synctest).
func New(r io.Reader) (*File, error) {
	counted := &counter{in: r}
	in := bufio.NewReaderSize(counted, 1<<16)
	first, _ := in.Peek(len(input.ArchiveMark))
	f := &File{read: counted, codec: archive.SharedCodec()}
	if !archive.Is(first) {
		f.from = newLines(in)
		return f, nil
	}
	reader, err := archive.NewReader(in)
	if err != nil {
		return nil, err
	}
	f.Header, f.from = &reader.Header, &blocks{reader: reader}
	return f, nil
}

// Read is the number of bytes that were read so far.
func (f *File) Read() int64 { return f.read.bytes.Load() }

// Index is the index of an archive whose end was read; nil otherwise.
func (f *File) Index() *archive.Index { return f.from.index() }

// Piece is a number of whole lines, with their records.
type Piece struct {
	// Outline is set if the lines were not decoded: see Outlines. The piece has neither Lines nor Records then, and its Packed are the
	// lines as they are in the file, at the byte Offset.
	Outline *outline.Block
	// PackedOutline is the same for archive.UnpackOutline.
	PackedOutline []byte
	Offset        int64
	// Lines are the lines as they are in the file, without a halt record.
	Lines   []byte
	Records []*trace.Record
	// Packed are the lines of Records, compressed, and Size is their size without compression.
	Packed []byte
	Size   int
	// Halt is a halt record behind the others, which is the last of a trace, and HaltLine its line.
	Halt     *trace.Record
	HaltLine []byte
	// Err is the error behind the others: a *trace.LineError or an *archive.Error. The piece is the last one then.
	Err error

	// block is the block of an archive that was decoded. entry is its entry in the index, and last says that nothing follows but the index.
	block *archive.Block
	entry archive.Entry
	last  bool
}

// Pieces yields the pieces, once. text, which may be nil, changes the lines that are decoded and packed: lines that it
// returns as they are do not change.
func (f *File) Pieces(text func(lines []byte) []byte) iter.Seq[*Piece] { return f.pieces(text, false) }

// Outlines is Pieces, but blocks of an archive that have an outline are not decoded, unless text changes the texts of the outline. Whoever
// decodes the lines of such a piece later changes them then.
func (f *File) Outlines(text func(lines []byte) []byte) iter.Seq[*Piece] { return f.pieces(text, true) }

func (f *File) pieces(text func(lines []byte) []byte, outlines bool) iter.Seq[*Piece] {
	return func(yield func(*Piece) bool) {
		// Each piece that is decoded has a channel of its own; their number is bounded.
		queue := make(chan chan *Piece, runtime.GOMAXPROCS(0))
		stop := make(chan struct{})
		defer close(stop)
		go func() {
			defer close(queue)
			for decode := f.from.next(); decode != nil; decode = f.from.next() {
				result := make(chan *Piece, 1)
				select {
				case queue <- result:
				case <-stop:
					return
				}
				go func() { result <- decode(how{f.codec, text, outlines}) }()
			}
		}()
		records := 0
		for result := range queue {
			piece := <-result
			if err := f.from.check(piece); piece.Err == nil {
				piece.Err = err
			}
			records += piece.Len()
			var bad *archive.Error
			if errors.As(piece.Err, &bad) {
				bad.Records = records
			}
			if piece.last && piece.Err == nil {
				return
			}
			if !yield(piece) || piece.Err != nil || piece.Halt != nil && f.Header == nil {
				return
			}
		}
	}
}

// Damaged is an error in the piece of an archive, behind so many records that are right. It is an *archive.Error.
func (p *Piece) Damaged(err error, records int64) error { return Damaged(p.Offset, err, records) }

// Damaged is an error in the block of an archive that begins at a byte, behind so many records that are right. It is an *archive.Error.
func Damaged(offset int64, err error, records int64) error {
	return &archive.Error{Kind: archive.Damaged, Offset: offset, Problem: "the block: " + err.Error(), Records: int(records)}
}

// Entry says where the block of an archive is, for archive.ReadBlock.
func (p *Piece) Entry() archive.Entry { return p.entry }

// Len is the number of records, without a halt.
func (p *Piece) Len() int {
	if p.Outline != nil {
		return int(p.Outline.N)
	}
	return len(p.Records)
}

// fill decodes lines. What follows a halt record is not read.
func (p *Piece) fill(chunk trace.Chunk, how how) {
	decoded := chunk
	if how.text != nil {
		decoded.Text = how.text(chunk.Text)
	}
	p.Lines, p.Size = chunk.Text, len(decoded.Text)
	for record, err := range decoded.Records() {
		if record != nil && record.Halt != nil {
			p.Halt = record
			p.halt(chunk.Text)
		}
		if err != nil || p.Halt != nil {
			p.Err = err
			p.Packed, p.Size = pack(how.codec, p.Records)
			return
		}
		p.Records = append(p.Records, record)
	}
	if p.Packed == nil || !bytes.Equal(decoded.Text, chunk.Text) {
		p.Packed = how.codec.Pack(decoded.Text)
	}
}

// halt finds the line of the halt record.
func (p *Piece) halt(text []byte) {
	at := 0
	for range p.Records {
		at += bytes.IndexByte(text[at:], '\n') + 1
	}
	p.Lines = text[:at]
	p.HaltLine = text[at : at+bytes.IndexByte(text[at:], '\n')+1]
}

// pack compresses the lines of records.
func pack(codec *archive.Codec, records []*trace.Record) (packed []byte, size int) {
	var text bytes.Buffer
	for _, record := range records {
		text.Write(record.Line())
	}
	return codec.Pack(text.Bytes()), text.Len()
}

// counter counts what is read.
type counter struct {
	in    io.Reader
	bytes atomic.Int64
}

func (c *counter) Read(to []byte) (int, error) {
	n, err := c.in.Read(to)
	c.bytes.Add(int64(n))
	return n, err
}
