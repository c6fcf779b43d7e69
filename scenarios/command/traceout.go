package command

import (
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/kubestep/kubestep/scenarios/output"
	"github.com/kubestep/kubestep/sim/trace"
)

// traceFile is the file of --trace-out. A zero traceFile is that of a run without one: it does nothing.
type traceFile struct {
	file *output.File

	// mu guards the rest: what ends a run before its time comes from another goroutine.
	mu    sync.Mutex
	ended bool
	// last and at are those of the last record.
	last int64
	at   time.Duration
}

// createTrace opens the file of --trace-out; an empty path makes one that does nothing.
func createTrace(path string, replace bool) (*traceFile, error) {
	if path == "" {
		return &traceFile{}, nil
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
	case info.IsDir():
		return nil, &UsageError{path + " is a directory", "--trace-out " + filepath.Join(path, "trace.jsonl")}
	case info.Mode().IsRegular() && info.Size() > 0 && !isTrace(path):
		if err := mayReplace(path, replace); err != nil {
			return nil, err
		}
	}
	file, err := output.Create(path)
	if err != nil {
		return nil, err
	}
	return &traceFile{file: file}, nil
}

// mayReplace refuses to replace a file that somebody may have edited. A trace is none: it can be made again.
func mayReplace(path string, replace bool) error {
	if _, err := os.Stat(path); path == "" || err != nil || replace {
		return nil
	}
	return &UsageError{path + " exists", "--force to replace it, or another file"}
}

// write is a trace.Sink.
func (f *traceFile) write(record *trace.Record, line []byte) {
	if f.file == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.ended {
		f.last, f.at = record.Seq, record.At
		f.file.Write(line)
	}
}

// commit completes the file of a run that came to its end.
func (f *traceFile) commit() error {
	if f.file == nil {
		return nil
	}
	return f.file.Commit()
}

// discard removes what a run has written that did not come to its end.
func (f *traceFile) discard() {
	if f.file != nil {
		f.file.Discard()
	}
}

// keep completes the file of a run that broke down: the records until then, and why there are no more. It says how many
// they are; 0 means that there is no file.
func (f *traceFile) keep(halt trace.Halt) (records int64, err error) {
	if f.file == nil {
		return 0, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	f.file.Write(haltRecord(halt, f.last, f.at).Line())
	return f.last, f.file.Commit()
}

// haltRecord is the record behind the last one.
func haltRecord(halt trace.Halt, last int64, at time.Duration) *trace.Record {
	record := &trace.Record{Seq: last + 1, At: at, Kind: trace.KindHalt, Halt: &halt}
	if len(halt.Actors) == 1 {
		record.Actor = halt.Actors[0]
	}
	return record
}
