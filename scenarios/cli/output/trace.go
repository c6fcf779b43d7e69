package output

import (
	"strings"
	"sync"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
)

// Trace is the file of --trace-out: JSON lines, or an archive if its name has that suffix. A zero Trace is that of a run
// without one: it does nothing.
type Trace struct {
	file *File
	// archive is nil for JSON lines.
	archive *archive.Writer

	// mu guards the rest: what ends a run before its time comes from another goroutine.
	mu    sync.Mutex
	ended bool
	// last and at are those of the last record.
	last int64
	at   time.Duration
}

// NewTrace writes to an open file.
func NewTrace(file *File) *Trace { return &Trace{file: file} }

// Begin is called before the run, outside of its bubble. header is for an archive.
func (f *Trace) Begin(header archive.Header) (err error) {
	if f.file != nil && strings.HasSuffix(f.file.path, archive.Suffix) {
		f.archive, err = archive.NewWriter(f.file.Writer(), header)
	}
	return err
}

// Write is a trace.Sink.
func (f *Trace) Write(record *trace.Record, line []byte) {
	if f.file == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.ended {
		f.last, f.at = record.Seq, record.At
		f.write(record, line)
	}
}

// write adds a record. Commit returns the error.
func (f *Trace) write(record *trace.Record, line []byte) {
	if f.archive == nil {
		f.file.Write(line)
		return
	}
	_ = f.archive.Write(record, line)
}

// Commit completes the file of a run that came to its end.
func (f *Trace) Commit(end archive.End) error {
	if f.file == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	return f.commit(end)
}

func (f *Trace) commit(end archive.End) error {
	if f.archive != nil {
		_ = f.archive.Close(end)
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
// they are; 0 means that there is no file, or that it is complete.
func (f *Trace) Keep(halt trace.Halt) (records int64, err error) {
	if f.file == nil {
		return 0, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended {
		return 0, nil
	}
	f.ended = true
	record := haltRecord(halt, f.last, f.at)
	f.write(record, record.Line())
	return f.last, f.commit(archive.End{})
}

// haltRecord is the record behind the last one.
func haltRecord(halt trace.Halt, last int64, at time.Duration) *trace.Record {
	record := &trace.Record{Seq: last + 1, At: at, Kind: trace.KindHalt, Halt: &halt}
	if len(halt.Actors) == 1 {
		record.Actor = halt.Actors[0]
	}
	return record
}
