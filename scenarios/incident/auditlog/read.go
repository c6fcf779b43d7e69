package auditlog

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
)

// Error says what is wrong with a log, and what to do instead.
type Error struct{ Message, Try string }

// Error implements error.
func (e *Error) Error() string { return e.Message }

const howToLog = "the file that --audit-log-path of kube-apiserver names: one Event of audit.k8s.io/v1 in each line"

// lineMax bounds a line: bodies have at most 3 MiB, and an Event has two of them.
const lineMax = 16 << 20

// Progress is how far a log is read.
type Progress struct{ Bytes, Events atomic.Int64 }

// reader reads the Events of one file.
type reader struct {
	name     string
	lines    *bufio.Reader
	progress *Progress
	line     int
}

// counting counts the bytes of the file, compressed or not.
type counting struct {
	in       io.Reader
	progress *Progress
}

// Read implements io.Reader.
func (c counting) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.progress.Bytes.Add(int64(n))
	return n, err
}

// newReader reads a log, or one that gzip has compressed.
func newReader(name string, in io.Reader, progress *Progress) (*reader, error) {
	const buffer = 1 << 16
	lines := bufio.NewReaderSize(counting{in, progress}, buffer)
	if begin, _ := lines.Peek(2); bytes.Equal(begin, []byte{0x1f, 0x8b}) {
		unzipped, err := gzip.NewReader(lines)
		if err != nil {
			return nil, &Error{name + ": is not a gzip file: " + err.Error(), "the complete file"}
		}
		lines = bufio.NewReaderSize(unzipped, buffer)
	}
	return &reader{name: name, lines: lines, progress: progress}, nil
}

// next returns one line. more is false for the last one.
func (r *reader) next() (text []byte, more bool, err error) {
	r.line++
	for {
		part, err := r.lines.ReadSlice('\n')
		if text = append(text, part...); len(text) > lineMax {
			return nil, false, r.wrong(fmt.Sprintf("is longer than %d MiB", lineMax>>20))
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			if len(text) == 0 && errors.Is(err, io.EOF) {
				return nil, true, io.EOF
			}
			return text, false, nil
		case err != nil:
			return nil, false, r.wrong(err.Error())
		default:
			_, err := r.lines.Peek(1)
			return text, !errors.Is(err, io.EOF), nil
		}
	}
}

func (r *reader) wrong(message string) error {
	return &Error{fmt.Sprintf("%s:%d: %s", r.name, r.line, message), howToLog}
}

// each calls do for each Event of the file. cut is a sentence if the last line is cut off, which is not an error: the server
// may still write it.
func (r *reader) each(do func(*auditv1.Event)) (cut string, err error) {
	for {
		text, more, err := r.next()
		if errors.Is(err, io.EOF) {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		if text = bytes.TrimSpace(text); len(text) == 0 {
			if !more {
				return "", nil
			}
			continue
		}
		events, err := r.decode(text)
		switch {
		case err != nil && !more && text[0] == '{' && !json.Valid(text):
			return fmt.Sprintf("%s:%d: the last line is cut off, and is not read", r.name, r.line), nil
		case err != nil:
			return "", err
		}
		for i := range events {
			r.progress.Events.Add(1)
			do(&events[i])
		}
		if !more {
			return "", nil
		}
	}
}

// decode reads one line: an Event, or an EventList, as webhooks of audit get it.
func (r *reader) decode(text []byte) ([]auditv1.Event, error) {
	var list struct {
		auditv1.Event
		Items []auditv1.Event `json:"items"`
	}
	if err := json.Unmarshal(text, &list); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, r.wrong(fmt.Sprintf("is not JSON: byte %d: %v", syntax.Offset, err))
		}
		return nil, r.wrong("is not an Event: " + reason(err))
	}
	switch version := auditv1.SchemeGroupVersion.String(); {
	case list.Kind == "EventList" && list.APIVersion == version:
		return list.Items, nil
	case list.Kind != "Event" || list.APIVersion != version:
		return nil, r.wrong(fmt.Sprintf("has apiVersion %q and kind %q, not %s and Event", list.APIVersion, list.Kind, version))
	}
	return []auditv1.Event{list.Event}, nil
}

// reason names the field of a wrong type without the types of Go.
func reason(err error) string {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return wrong.Field + " has a " + wrong.Value
	}
	return err.Error()
}
