package archive

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// Is reports whether a file that begins with some bytes is an archive, in whatever version.
func Is(begin []byte) bool { return bytes.HasPrefix(begin, []byte(input.ArchiveMark)) }

// Reader reads an archive from its beginning to its end, and checks all of it. One goroutine calls Next and another one
// may call Check and Compare.
type Reader struct {
	// Header is that of the archive.
	Header Header

	in     *bufio.Reader
	codec  *Codec
	offset int64
	// index is set after the last block, and indexAt is where it is.
	index   *Index
	indexAt int64

	// blocks, records, text and lines are those of the blocks that were checked; compared says that the index is right.
	blocks []Entry
	// declared is the text that the blocks which were read declare to have.
	declared int64
	records  int64
	text     int64
	lines    hash.Hash
	compared bool
	// unread says that the lines of some blocks were not read.
	unread bool
}

// Block is a number of whole lines. What its Entry has of the records is unknown.
type Block struct {
	Entry
	// Packed is the compressed text.
	Packed  []byte
	outline []byte
	codec   *Codec
}

// NewReader reads the header. The error is an *Error.
func NewReader(in io.Reader) (*Reader, error) {
	r := &Reader{in: bufio.NewReaderSize(in, 1<<16), codec: SharedCodec(), lines: sha256.New()}
	begin := make([]byte, signatureSize)
	if err := r.read(begin, "the signature"); err != nil {
		return nil, err
	}
	version := binary.LittleEndian.Uint32(begin[len(signature):])
	switch {
	case !Is(begin):
		return nil, &Error{Kind: Foreign, Problem: "not an archive of a trace"}
	case string(begin[:len(signature)]) != signature:
		return nil, &Error{Kind: Damaged, Problem: "the line ends in it differ, as after a transfer in text mode"}
	case version > Version:
		return nil, &Error{Kind: Newer, Problem: fmt.Sprintf("its format has version %d; this kubestep reads version %d", version, Version)}
	case version == 0:
		return nil, damaged(int64(len(signature)), "the version of the format is 0")
	}
	f, packed, err := r.frame()
	if err == nil && f.kind != kindHeader {
		err = damaged(int64(signatureSize), "a frame %s is in the place of HEAD", f.kind)
	}
	if err == nil {
		err = r.decode(f, packed, int64(signatureSize), &r.Header)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Next returns the next block, or io.EOF behind the last one, after it has read the index and the end. Any other error
// is an *Error; the blocks before it are right.
func (r *Reader) Next() (*Block, error) {
	at := r.offset
	f, packed, err := r.frame()
	switch {
	case err != nil:
		return nil, err
	case f.kind == kindIndex:
		if err := r.finish(f, packed, at); err != nil {
			return nil, err
		}
		return nil, io.EOF
	case f.kind != kindBlock:
		return nil, damaged(at, "a frame %s is in the place of a block", f.kind)
	}
	if r.declared += int64(f.text); r.declared > swollenFrom+swollenTimes*r.offset {
		return nil, &Error{Kind: Swollen, Offset: at, Problem: fmt.Sprintf(
			"its first %d bytes have %d MiB of lines: no trace shrinks so much", r.offset, r.declared>>20)}
	}
	before, lines := splitOutline(packed)
	entry := Entry{Offset: at, Size: f.size, Text: f.text, Sum: f.sum, Outline: uint32(len(before))}
	return &Block{entry, lines, before, r.codec}, nil
}

// Lines decompresses the block. The error is an *Error.
func (b *Block) Lines() ([]byte, error) {
	text, err := b.codec.Unpack(b.Packed, int(b.Text))
	if err == nil && (len(text) == 0 || text[len(text)-1] != '\n') {
		err = errors.New("the block does not end with a line")
	}
	if err != nil {
		return nil, b.Damaged(err)
	}
	return text, nil
}

// Damaged is an error in the lines of the block.
func (b *Block) Damaged(err error) error { return damaged(b.Offset, "the block: %v", err) }

// Check adds a block to what the index is compared with: call it for each block, in order, with the numbers of the
// records in its lines. lines are those without a halt record; nil if only the outline was read, and then the hash of all lines is not
// compared.
func (r *Reader) Check(block Entry, lines []byte) {
	r.unread = r.unread || lines == nil && block.Records > 0
	r.lines.Write(lines)
	r.blocks = append(r.blocks, block)
	r.records += block.Records
	r.text += int64(block.Text)
}

// Index is the index, after Compare.
func (r *Reader) Index() *Index {
	if !r.compared {
		return nil
	}
	return r.index
}

// finish reads the index and the end.
func (r *Reader) finish(f frame, packed []byte, at int64) error {
	index := &Index{}
	if err := r.decode(f, packed, at, index); err != nil {
		return err
	}
	endAt, end := r.offset, make([]byte, endSize)
	if err := r.read(end, "its last bytes"); err != nil {
		return err
	}
	if offset := binary.LittleEndian.Uint64(end); offset != uint64(at) || string(end[8:]) != endMark {
		return damaged(endAt, "the end does not point to the index")
	}
	if _, err := r.in.ReadByte(); err != io.EOF {
		return damaged(r.offset, "more follows the end")
	}
	r.index, r.indexAt = index, at
	return nil
}

// Compare compares the index with the blocks, after Next has returned io.EOF. The error is an *Error.
func (r *Reader) Compare() error {
	index, at := r.index, r.indexAt
	if len(index.Blocks) != len(r.blocks) {
		return damaged(at, "the index has %d blocks, the archive has %d", len(index.Blocks), len(r.blocks))
	}
	for i, entry := range index.Blocks {
		if entry != r.blocks[i] {
			return damaged(at, "block %d of the index differs from the block at byte %d", i+1, r.blocks[i].Offset)
		}
	}
	switch lines := sumText(r.lines); {
	case index.Records != r.records:
		return damaged(at, "the index counts %d records, the blocks have %d", index.Records, r.records)
	case index.Text != r.text:
		return damaged(at, "the index counts %d bytes of lines, the blocks have %d", index.Text, r.text)
	case index.Lines != lines && !r.unread:
		return damaged(at, "the lines have the hash %s, the index says %s", lines, index.Lines)
	}
	r.compared = true
	return nil
}

// frame reads a frame with its content, and compares the checksum.
func (r *Reader) frame() (frame, []byte, error) {
	at, head := r.offset, make([]byte, frameSize)
	if err := r.read(head, "a frame"); err != nil {
		return frame{}, nil, err
	}
	f, err := parseFrame(head)
	if err != nil {
		return f, nil, damaged(at, "%v", err)
	}
	// The content is read in pieces: the size is not trusted before it is there.
	var packed bytes.Buffer
	n, err := io.CopyN(&packed, r.in, int64(f.size))
	r.offset += n
	if err != nil {
		return f, nil, r.short(err, "a frame "+f.kind)
	}
	if f.checksum(packed.Bytes()) != f.sum {
		return f, nil, damaged(at, "the checksum of the frame %s differs", f.kind)
	}
	return f, packed.Bytes(), nil
}

// decode decodes a frame of JSON.
func (r *Reader) decode(f frame, packed []byte, at int64, into any) error {
	text, err := r.codec.Unpack(packed, int(f.text))
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return damaged(at, "the frame %s: %v", f.kind, err)
	}
	return nil
}

func (r *Reader) read(to []byte, part string) error {
	n, err := io.ReadFull(r.in, to)
	r.offset += int64(n)
	return r.short(err, part)
}

// short explains why less was read than there should be.
func (r *Reader) short(err error, part string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		problem := "the archive ends in " + part + "; it was not written or copied completely"
		return &Error{Kind: Truncated, Offset: r.offset, Problem: problem}
	}
	return &Error{Kind: Unreadable, Offset: r.offset, Problem: err.Error()}
}
