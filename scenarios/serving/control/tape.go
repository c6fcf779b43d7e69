package control

import (
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/kubestep/kubestep/sim/recording/film"
	"github.com/kubestep/kubestep/sim/trace"
)

// tape has the lines of the trace in a file, so that a session can be long, and whoever comes late sees all of it.
type tape struct {
	file *os.File

	mu   sync.Mutex
	size int64
	err  error
	// counts are how many records of each kind of marks there are.
	counts map[string]int
}

// marks are the kinds of records up to which somebody may let time pass.
var marks = map[string]func(*trace.Record) bool{
	"record":   trace.InStory,
	"write":    func(r *trace.Record) bool { return r.Request != nil && len(r.Request.Writes) > 0 },
	"sync":     func(r *trace.Record) bool { return r.Sync != nil && r.Sync.Phase == trace.PhaseStart },
	"decision": func(r *trace.Record) bool { return r.Cause != 0 && film.Decides(r) },
	"error":    trace.IsError,
}

// Marks names the kinds of records up to which time may pass.
func Marks() string { return strings.Join(slices.Sorted(maps.Keys(marks)), ", ") }

// IsMarked reports whether time may pass up to records of a kind.
func IsMarked(kind string) bool { return marks[kind] != nil }

func newTape() (*tape, error) {
	file, err := os.CreateTemp("", "kubestep-session-*.jsonl")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(file.Name()) // where the system allows that, nothing is left of it however this process ends
	return &tape{file: file, counts: map[string]int{}}, nil
}

// Sink is a trace.Sink for the run of the session.
func (c *Server) Sink(record *trace.Record, line []byte) {
	t := c.tape
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		var n int
		n, t.err = t.file.Write(line)
		t.size += int64(n)
	}
	if record.Background {
		return
	}
	for name, is := range marks {
		if is(record) {
			t.counts[name]++
		}
	}
}

// Close removes the trace.
func (c *Server) Close() {
	_ = c.tape.file.Close()
	_ = os.Remove(c.tape.file.Name())
}

// marked is how many records of a kind there are.
func (t *tape) marked(kind string) (count int, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok = marks[kind]
	return t.counts[kind], ok
}

// copyFrom writes what the trace has behind an offset, and returns the offset of its end.
func (t *tape) copyFrom(offset int64, w io.Writer) (end int64, err error) {
	t.mu.Lock()
	size, failed := t.size, t.err
	t.mu.Unlock()
	n, err := io.Copy(w, io.NewSectionReader(t.file, offset, size-offset))
	return offset + n, errors.Join(err, failed)
}
