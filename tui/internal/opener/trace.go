// Package opener makes the recordings that the interface shows: it runs scenarios in processes of their own, and reads
// traces, of which it hands on the first part before it has read the rest. The texts of the records that it returns are
// fit to be shown.
package opener

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/reading/localization"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
	"github.com/kubestep/kubestep/sim/trace/file/input"
	"github.com/kubestep/kubestep/sim/trace/file/tracefile"
	"github.com/kubestep/kubestep/sim/trace/visible"
	"github.com/kubestep/kubestep/tui/internal/picker"
)

// Traces up to these sizes are read before the screen changes: that takes less than a second.
const (
	smallLines   = 8 << 20
	smallArchive = smallLines / 20
)

// Trace finds out whether a file begins as a trace should, and describes it. small means that it can be read at once.
func Trace(path string) (entry picker.Entry, small bool, err error) {
	header, size, err := firstPart(path)
	var missing *fs.PathError
	var refused *input.FileError
	switch {
	case errors.As(err, &refused):
		return entry, false, cli.InputError(err)
	case errors.As(err, &missing):
		return entry, false, cli.Usage(err.Error(), "kubestep run FILE --trace-out trace.jsonl")
	case err != nil:
		return entry, false, cli.TraceError(err)
	}
	return traceEntry(path, header), header == nil && size <= smallLines || header != nil && size <= smallArchive, nil
}

// firstPart reads the first part of a trace, and returns the header of an archive.
func firstPart(path string) (header *archive.Header, size int64, err error) {
	in, err := tracefile.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer in.Close()
	file, err := tracefile.New(in)
	if err != nil {
		return nil, 0, named(path, err)
	}
	for piece := range file.Pieces(nil) {
		if len(piece.Records) == 0 && piece.Err != nil {
			return nil, 0, named(path, piece.Err)
		}
		break
	}
	return file.Header, in.Size, nil
}

func named(path string, err error) error { return fmt.Errorf("%s: %w", path, err) }

// traceEntry is the entry of a trace. With an archive of the same version of Kubernetes, a run can branch: it has the
// scenario and the seed.
func traceEntry(path string, header *archive.Header) picker.Entry {
	entry := picker.Entry{}
	if header != nil && header.Seed != nil && header.WithoutFaults == "" && header.Kubernetes == controllers.KubernetesVersion {
		if scenario, err := format.Parse(header.File, []byte(header.Scenario), verb.All); err == nil {
			entry = picker.NewEntry(scenario, path)
		}
	}
	entry.Name, entry.Trace = visible.Line(tracefile.Name(filepath.Base(path))), path
	return entry
}

// Progress is how far a recording is: how many records of a run there are, until a virtual time, or which part of a file
// was read.
type Progress struct {
	Records int64
	At      time.Duration
	Part    float64
}

// News are called while a recording is made; both may be nil.
type News struct {
	Progress func(Progress)
	// Early gets a recording of the first part of a large trace.
	Early func(*recording.Recording)
}

func (n News) tell(p Progress) {
	if n.Progress != nil {
		n.Progress(p)
	}
}

// Reading reads the trace of an entry; of a large one at least an extent.
type Reading struct {
	Parts
	To recording.Extent
}

// Read reads the trace of an entry.
func (r Reading) Read(ctx context.Context, e picker.Entry, n News) (*recording.Recording, error) {
	in, err := tracefile.Open(e.Trace)
	if err != nil {
		return nil, cli.TraceError(err)
	}
	reading := r.part(in)
	defer reading.Keep(in)()
	if in.Size > smallArchive && os.Getenv("GOGC") == "" {
		// What is read stays: the usual 100 % would take twice as much memory as that.
		const percent = 50
		debug.SetGCPercent(percent)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if bounds, ok := limits.Of(ctx); ok {
		defer bounds.Bound(func(halt trace.Halt) { cancel(&limits.Error{Halt: halt}) })()
	}
	reading.Text, reading.Progress = linesIn(e.Language), func(bytes, records int64) {
		n.tell(Progress{Records: records, Part: float64(bytes) / float64(max(in.Size, 1))})
	}
	if n.Early != nil {
		reading.Early = func(rec *recording.Recording) { n.Early(Shown(rec)) }
	}
	rec, err := reading.Read(canceled{ctx, in}, recording.Origin{Name: e.Name, Title: e.Title})
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, cli.TraceError(named(e.Trace, err))
	}
	return Shown(rec), nil
}

// Parts are sizes of lines. Of a trace with more than Large, only what is looked at is read: all of it takes seconds, and memory for each
// record. First is read when it is opened, and Ahead in addition to what is looked at, since a record is shown with what comes of it.
type Parts struct{ Large, First, Ahead int64 }

// Usual are the parts in which traces are read: the first one takes less than a second.
var Usual = Parts{Large: 256 << 20, First: 32 << 20, Ahead: 16 << 20}

// part is how the extent of a trace is read. All of the trace is read if it is not large, and if it is an archive without a proper index:
// what is wrong with it is found then.
func (r Reading) part(in *input.File) recording.Reading {
	to := r.To
	to.Lines = max(to.Lines, r.First)
	how, reached := recording.Reading{}, int64(0)
	enough := func(read recording.Extent) bool {
		if reached == 0 && read.Reaches(to) {
			reached = read.Lines
		}
		return reached > 0 && read.Lines >= reached+r.Ahead
	}
	switch {
	case in.Kind != input.Archive:
		if in.Size > r.Large {
			how.Until = func(read recording.Extent) bool { return read.Lines < in.Size && enough(read) }
		}
		return how
	case in.Size <= smallArchive && r.Parts == Usual:
		return how
	}
	if index, err := archive.ReadIndex(in, in.Size); err == nil && index.Text > r.Large {
		how.Whole = recording.Whole{Records: index.Records, End: index.Virtual, Result: index.Result}
		how.Until = func(read recording.Extent) bool { return read.Records < index.Records && enough(read) }
	}
	return how
}

// linesIn changes lines of records so that they can be shown, in a language.
func linesIn(language *localization.Language) func(lines []byte) []byte {
	return func(lines []byte) []byte { return visible.JSON(language.Lines(lines)) }
}

// canceled is a reader that ends with its context.
type canceled struct {
	ctx context.Context
	in  io.Reader
}

// Read implements io.Reader.
func (c canceled) Read(to []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.in.Read(to)
}

// Shown returns a recording whose own texts are fit to be shown. Those of its records are changed when they are read
// (visible.JSON), so that all panes can put them between styles; the trace hash stays that of the lines as they were.
func Shown(rec *recording.Recording) *recording.Recording {
	for _, text := range []*string{&rec.Name, &rec.Title, &rec.Error, &rec.Cut} {
		*text = visible.Line(*text)
	}
	return rec
}
