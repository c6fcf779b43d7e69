package output

import (
	"sync"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// Trace is the file of --trace-out. A zero Trace is that of a run without one: it does nothing.
type Trace struct {
	file *File

	// mu guards the rest: what ends a run before its time comes from another goroutine.
	mu    sync.Mutex
	ended bool
	// last and at are those of the last record.
	last int64
	at   time.Duration
}

// NewTrace writes to an open file.
func NewTrace(file *File) *Trace { return &Trace{file: file} }

// File is the file; nil without one.
func (f *Trace) File() *File { return f.file }

// Write is a trace.Sink.
func (f *Trace) Write(record *trace.Record, line []byte) {
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

// Commit completes the file of a run that came to its end.
func (f *Trace) Commit() error {
	if f.file == nil {
		return nil
	}
	return f.file.Commit()
}

// Discard removes what a run has written that did not come to its end.
func (f *Trace) Discard() {
	if f.file != nil {
		f.file.Discard()
	}
}

// Keep completes the file of a run that broke down: the records until then, and why there are no more. It says how many
// they are; 0 means that there is no file.
func (f *Trace) Keep(halt trace.Halt) (records int64, err error) {
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
