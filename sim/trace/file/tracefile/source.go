package tracefile

import (
	"bytes"
	"errors"
	"io"
	"iter"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
)

// source cuts a file into pieces.
type source interface {
	// next returns the function that decodes the next piece, on any goroutine; nil at the end.
	next() decode
	// check takes each decoded piece, in order.
	check(*Piece) error
	// index is that of an archive that was read.
	index() *archive.Index
}

type decode func(how) *Piece

// how says how a piece is decoded.
type how struct {
	codec *archive.Codec
	// text changes lines, if it is not nil; outlines is that of File.Outlines.
	text     func([]byte) []byte
	outlines bool
}

// failed is the piece of an error.
func failed(err error) decode {
	return func(how) *Piece { return &Piece{Err: err} }
}

// lines is a file of JSON lines.
type lines struct {
	pull func() (trace.Chunk, error, bool)
}

// chunkSize is the size of a piece of a file of JSON lines.
const chunkSize = 512 << 10

func newLines(in io.Reader) *lines {
	pull, _ := iter.Pull2(trace.Chunks(in, chunkSize))
	return &lines{pull}
}

func (l *lines) next() decode {
	chunk, err, more := l.pull()
	switch {
	case !more:
		return nil
	case err != nil:
		return failed(err)
	}
	return func(how how) *Piece {
		p := &Piece{}
		p.fill(chunk, how)
		return p
	}
}

func (*lines) check(*Piece) error    { return nil }
func (*lines) index() *archive.Index { return nil }

// blocks is an archive.
type blocks struct {
	reader *archive.Reader
	ended  bool
}

func (b *blocks) next() decode {
	if b.ended {
		return nil
	}
	block, err := b.reader.Next()
	b.ended = err != nil
	switch {
	case err == io.EOF:
		return func(how) *Piece { return &Piece{last: true} }
	case err != nil:
		return failed(err)
	}
	return func(how how) *Piece {
		if how.outlines {
			if p := outlineOf(block, how); p != nil {
				return p
			}
		}
		return decodeBlock(block, how)
	}
}

// outlineOf is the piece of a block that is not decoded; nil if it has to be.
func outlineOf(block *archive.Block, how how) *Piece {
	of, err := block.Outline()
	switch {
	case err != nil:
		return &Piece{Err: err}
	case of == nil || !of.IsPlain(how.text):
		return nil
	}
	p := &Piece{Outline: of, PackedOutline: bytes.Clone(block.PackedOutline()),
		Offset: block.Offset, Packed: bytes.Clone(block.Packed), Size: int(block.Text), entry: block.Entry}
	p.entry.First, p.entry.At, p.entry.Records = of.First, of.At, of.N
	return p
}

// decodeBlock decodes a block of an archive.
func decodeBlock(block *archive.Block, how how) *Piece {
	decompressed, err := block.Lines()
	if err != nil {
		return &Piece{Err: err}
	}
	p := &Piece{Offset: block.Offset, Packed: block.Packed, entry: block.Entry, block: block}
	p.fill(trace.Chunk{Text: decompressed, Line: 1}, how)
	var line *trace.LineError
	if errors.As(p.Err, &line) {
		p.Err = block.Damaged(p.Err)
	}
	p.entry.Records = int64(len(p.Records))
	if p.Halt != nil {
		p.entry.Records++
	}
	if first := append(p.Records[:len(p.Records):len(p.Records)], p.Halt)[0]; first != nil {
		p.entry.First, p.entry.At = first.Seq, first.At
	}
	return p
}

func (b *blocks) check(p *Piece) error {
	switch {
	case p.Err != nil:
		return nil
	case p.last:
		return b.reader.Compare()
	}
	b.reader.Check(p.entry, p.Lines)
	return nil
}

func (b *blocks) index() *archive.Index { return b.reader.Index() }
