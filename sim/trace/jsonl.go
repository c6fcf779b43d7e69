package trace

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
)

// MaxLine bounds one line of a trace, in bytes. The longest record is a write of the largest object that etcd accepts, which is
// 1.5 MiB.
const MaxLine = 64 << 20

// ErrForeign means that a file is not a trace.
var ErrForeign = errors.New("not a kubestep trace")

// LineError is an error in a line of a trace.
type LineError struct {
	Line int
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the cause, for errors.Is.
func (e *LineError) Unwrap() error { return e.Err }

// ReadJSONL reads the records of a trace, one per line. It ends at the first error, which is a *LineError.
func ReadJSONL(r io.Reader) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		const size = 64 << 10
		for chunk, err := range Chunks(r, size) {
			if err != nil {
				yield(nil, err)
				return
			}
			for record, err := range chunk.Records() {
				if !yield(record, err) || err != nil {
					return
				}
			}
		}
	}
}

// Chunk is a number of whole lines of a trace.
type Chunk struct {
	Text []byte
	// Line is the number of the first of them, from 1.
	Line int
}

// Chunks cuts a trace between lines into chunks of about a size, so that several goroutines can decode it. It ends at
// the first error, which is a *LineError.
func Chunks(r io.Reader, size int) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		// rest is the beginning of a line, which the next chunk continues.
		var rest []byte
		number := 1
		for {
			// A long line takes some doublings, not a copy for each chunk.
			text := make([]byte, len(rest)+max(size, len(rest)))
			n, err := io.ReadFull(r, text[copy(text, rest):])
			text = text[:len(rest)+n]
			end := bytes.LastIndexByte(text, '\n') + 1
			rest = text[end:]
			if end > 0 {
				if !yield(Chunk{text[:end:end], number}, nil) {
					return
				}
				number += bytes.Count(text[:end], []byte{'\n'})
			}
			switch ended := err == io.EOF || err == io.ErrUnexpectedEOF; {
			case ended && len(rest) == 0:
				return
			case ended:
				err = unended(rest)
			case err == nil && len(rest) > MaxLine && number == 1:
				err = ErrForeign
			case err == nil && len(rest) > MaxLine:
				err = fmt.Errorf("longer than %d MiB", MaxLine>>20)
			}
			if err != nil {
				yield(Chunk{}, &LineError{number, err})
				return
			}
		}
	}
}

// Records decodes the lines. It ends at the first error, which is a *LineError.
func (c Chunk) Records() iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		number := c.Line
		for line := range bytes.Lines(c.Text) {
			record, err := Decode(bytes.TrimSuffix(line, []byte{'\n'}))
			if err != nil {
				yield(nil, &LineError{number, err})
				return
			}
			if !yield(record, nil) {
				return
			}
			number++
		}
	}
}

// errCut means that the last line has no newline: it was not written completely.
var errCut = errors.New("the trace ends in the middle of this line")

// unended is the error of a last line without a newline.
func unended(line []byte) error {
	if bytes.HasPrefix(line, []byte(`{"seq":`)) {
		return errCut
	}
	return ErrForeign
}

// Decode decodes one line of a trace. It returns ErrForeign if the line is not a record.
func Decode(text []byte) (*Record, error) {
	record := &Record{}
	if err := json.Unmarshal(text, record); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) || record.Seq == 0 {
			return nil, fmt.Errorf("%w (%v)", ErrForeign, err)
		}
		return nil, err
	}
	if record.Seq <= 0 || record.Kind == "" {
		return nil, ErrForeign
	}
	if err := record.whole(); err != nil {
		return nil, err
	}
	return record, nil
}

// HashLines returns the hash of a trace, as Recorder.Hash computes it.
func HashLines(r io.Reader) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return "", err
	}
	return hashText(h.Sum(nil)), nil
}

func hashText(sum []byte) string { return "sha256:" + hex.EncodeToString(sum) }

// Verify reads a whole trace and returns the first error: a line that is not a record, one that cannot follow those before it
// (Sequence), or a hash other than the given one. An empty hash is not compared.
func Verify(r io.Reader, hash string) error {
	h := sha256.New()
	var sequence Sequence
	number := 0
	for record, err := range ReadJSONL(io.TeeReader(r, h)) {
		if err != nil {
			return err
		}
		number++
		if err := sequence.Add(record); err != nil {
			return &LineError{number, err}
		}
	}
	if got := hashText(h.Sum(nil)); hash != "" && got != hash {
		return fmt.Errorf("the trace hash is %s, not %s", got, hash)
	}
	return nil
}

func marshal(value any) []byte {
	data, err := json.Marshal(value)
	if err != nil {
		panic("trace: a value does not marshal: " + err.Error())
	}
	return data
}
