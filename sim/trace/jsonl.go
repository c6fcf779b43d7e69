package trace

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
)

// maxLine bounds one line of a recording. The longest record is a write of the largest object that etcd
// takes, which is 1.5 MiB.
const maxLine = 64 << 20

// ErrForeign means that a file is something else than a recording.
var ErrForeign = errors.New("not a kubestep trace")

// LineError says which line of a recording is wrong.
type LineError struct {
	Line int
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap gives errors.Is the cause.
func (e *LineError) Unwrap() error { return e.Err }

// ReadJSONL reads the records of a recording, one a line. It ends at the first error, which is a
// *LineError.
func ReadJSONL(r io.Reader) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		for line, err := range lines(r) {
			var record *Record
			if err == nil {
				record, err = Decode(line.text)
			}
			if err != nil {
				yield(nil, &LineError{line.number, err})
				return
			}
			if !yield(record, nil) {
				return
			}
		}
	}
}

type line struct {
	number int
	// text has no newline at its end.
	text []byte
}

// lines yields the lines of r, which are valid until the next one.
func lines(r io.Reader) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		scanner := bufio.NewScanner(r)
		scanner.Buffer(make([]byte, 0, 64<<10), maxLine)
		scanner.Split(scanLine)
		number := 0
		for scanner.Scan() {
			number++
			if !yield(line{number, scanner.Bytes()}, nil) {
				return
			}
		}
		err := scanner.Err()
		switch {
		case errors.Is(err, bufio.ErrTooLong) && number == 0:
			err = ErrForeign
		case errors.Is(err, bufio.ErrTooLong):
			err = fmt.Errorf("longer than %d MiB", maxLine>>20)
		}
		if err != nil {
			yield(line{number: number + 1}, err)
		}
	}
}

// errCut means that the last line has no newline. Such a line was not written to its end.
var errCut = errors.New("the trace ends in the middle of this line")

// scanLine is bufio.ScanLines, but keeps a carriage return, which no record has, and takes no line that
// does not end.
func scanLine(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i], nil
	}
	if !atEOF || len(data) == 0 {
		return 0, nil, nil
	}
	if !bytes.HasPrefix(data, []byte(`{"seq":`)) {
		return 0, nil, ErrForeign
	}
	return 0, nil, errCut
}

// Decode reads one line of a recording. What is not a record at all is ErrForeign.
func Decode(text []byte) (*Record, error) {
	record := &Record{}
	if err := json.Unmarshal(text, record); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) || record.Seq == 0 {
			return nil, fmt.Errorf("%w (%v)", ErrForeign, err)
		}
		return nil, err
	}
	switch {
	case record.Seq <= 0 || record.Kind == "":
		return nil, ErrForeign
	case !record.whole():
		return nil, fmt.Errorf("record %d of kind %q has no field of that name", record.Seq, record.Kind)
	}
	return record, nil
}

// whole reports whether a record has the part that its kind names. Of a kind that this version does not know nothing
// can be said.
func (r *Record) whole() bool {
	switch r.Kind {
	case KindRequest:
		return r.Request != nil
	case KindWatch:
		return r.Watch != nil
	case KindEnqueue:
		return r.Enqueue != nil
	case KindSync:
		return r.Sync != nil
	case KindTimer:
		return r.Timer != nil
	case KindLog:
		return r.Log != nil
	case KindEvent:
		return r.Event != nil
	case KindAction:
		return r.Action != nil
	case KindCheck:
		return r.Check != nil
	case KindNote:
		return r.Note != nil
	case KindAsk:
		return r.Ask != nil
	case KindAnswer:
		return r.Answer != nil
	case KindHalt:
		return r.Halt != nil
	}
	return true
}

// HashLines returns the hash of a recording, as Recorder.Hash gave it when it was made.
func HashLines(r io.Reader) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return "", err
	}
	return hashText(h.Sum(nil)), nil
}

func hashText(sum []byte) string { return "sha256:" + hex.EncodeToString(sum) }

// Verify reads a whole recording and says what is wrong with it: a line that is not a record, a number that is missing,
// time that runs backwards, a cause that comes later than what it caused, or a hash other than the one that the run
// printed. An empty hash is not compared.
func Verify(r io.Reader, hash string) error {
	h := sha256.New()
	last := &Record{}
	number := 0
	for record, err := range ReadJSONL(io.TeeReader(r, h)) {
		if err != nil {
			return err
		}
		number++
		if err := record.Follows(last); err != nil {
			return &LineError{number, err}
		}
		last = record
	}
	if got := hashText(h.Sum(nil)); hash != "" && got != hash {
		return fmt.Errorf("the trace hash is %s, not %s", got, hash)
	}
	return nil
}

// Follows says what is wrong with a record behind another one: a number that is missing, time that runs backwards, or a
// cause that comes later than what it caused. Before the first record stands one of zero.
func (r *Record) Follows(last *Record) error {
	switch {
	case r.Seq != last.Seq+1:
		return fmt.Errorf("record %d follows record %d", r.Seq, last.Seq)
	case r.At < last.At && last.Seq > 0:
		// The simulation comes up before time zero.
		return fmt.Errorf("record %d is of %s, before record %d of %s",
			r.Seq, Seconds(r.At), last.Seq, Seconds(last.At))
	case r.Cause >= r.Seq:
		return fmt.Errorf("record %d has the later record %d as its cause", r.Seq, r.Cause)
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
