package tracefile

import (
	"bytes"
	"errors"
	"io"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
	"github.com/kubestep/kubestep/sim/trace/file/outline"
)

// Form is what a trace is converted to.
type Form interface {
	// begin is called with the header of an archive, or nil.
	begin(*archive.Header) error
	add(*Piece) error
	// end is called with the index of an archive, or nil.
	end(*archive.Index) error
}

// WriteError means that the converted trace cannot be written.
type WriteError struct{ Err error }

// Error implements error.
func (e *WriteError) Error() string { return e.Err.Error() }

// Convert reads a trace from its beginning to its end, checks all of it, and writes it in a form. What was written before
// an error is not to be used.
func Convert(in io.Reader, to Form) error {
	file, err := New(in)
	if err != nil {
		return err
	}
	if err := to.begin(file.Header); err != nil {
		return &WriteError{err}
	}
	var sequence trace.Sequence
	outlines := outline.NewEncoder()
	for piece := range file.Pieces(nil) {
		for _, record := range piece.Records {
			if err := sequence.Add(record); err != nil {
				return err
			}
		}
		if piece.Err != nil {
			return piece.Err
		}
		if err := piece.checkOutline(outlines); err != nil {
			return err
		}
		if err := to.add(piece); err != nil {
			return &WriteError{err}
		}
	}
	if sequence.Len() == 0 {
		return errors.New("it contains no records")
	}
	if err := to.end(file.Index()); err != nil {
		return &WriteError{err}
	}
	return nil
}

var errOutline = errors.New("its outline differs from its records")

// checkOutline compares the outline of a block with its records.
func (p *Piece) checkOutline(outlines *outline.Encoder) error {
	if p.block == nil {
		return nil
	}
	for _, record := range p.Records {
		outlines.Add(record)
	}
	if p.Halt != nil {
		outlines.Add(p.Halt)
	}
	text, err := p.block.OutlineText()
	if made := outlines.Block(); err == nil && text != nil && !bytes.Equal(text, made) {
		err = p.block.Damaged(errOutline)
	}
	return err
}

// Lines are JSON lines, as they are.
func Lines(out io.Writer) Form { return jsonLines{out} }

type jsonLines struct{ out io.Writer }

func (jsonLines) begin(*archive.Header) error { return nil }
func (jsonLines) end(*archive.Index) error    { return nil }

func (j jsonLines) add(piece *Piece) error {
	_, err := j.out.Write(piece.Lines)
	if err == nil {
		_, err = j.out.Write(piece.HaltLine)
	}
	return err
}

// Archive is an archive. name is that of the JSON lines that it is made from.
func Archive(out io.Writer, name string) Form { return &archived{out: out, name: name} }

type archived struct {
	out    io.Writer
	name   string
	writer *archive.Writer
}

func (a *archived) begin(header *archive.Header) (err error) {
	if header == nil {
		header = &archive.Header{File: a.name}
	}
	a.writer, err = archive.NewWriter(a.out, *header)
	return err
}

func (a *archived) add(piece *Piece) error {
	rest := piece.Lines
	for _, record := range piece.Records {
		end := bytes.IndexByte(rest, '\n') + 1
		if err := a.writer.Write(record, rest[:end]); err != nil {
			return err
		}
		rest = rest[end:]
	}
	if piece.Halt != nil {
		return a.writer.Write(piece.Halt, piece.HaltLine)
	}
	return nil
}

func (a *archived) end(index *archive.Index) error {
	end := archive.End{}
	if index != nil {
		end = index.End
	}
	return a.writer.Close(end)
}
