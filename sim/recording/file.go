package recording

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/kubestep/kubestep/sim/trace/file/input"
	"github.com/kubestep/kubestep/sim/trace/file/tracefile"
)

// Reading says how a trace is read. Its fields may be nil.
type Reading struct {
	// Text changes lines, such as those that cannot be shown as they are; others it returns as they are.
	Text func(lines []byte) []byte
	// Progress is called now and then with how many bytes were read, and how many records these have.
	Progress func(bytes, records int64)
	// Kept is the archive that is read, if it stays open as long as the recording is used. Its blocks are not kept in memory then, but
	// read when they are needed.
	Kept io.ReaderAt
	// Early is called once for a large trace, with a recording of its first part.
	Early func(*Recording)
	// Until is called after each piece of the trace with what was read so far. If it returns true, nothing else is read, and the recording
	// is that of the first part of the trace: it has Whole.
	Until func(Extent) bool
	// Whole is what is known of the trace if only its first part is read.
	Whole Whole
}

// Extent is how much of a trace is read from its beginning: so many records, everything until a virtual time, and so many bytes of lines.
type Extent struct {
	Records int64
	At      time.Duration
	Lines   int64
}

// All is the extent of any trace.
var All = Extent{Records: math.MaxInt64}

// Reaches reports whether an extent has everything that another one has.
func (e Extent) Reaches(to Extent) bool {
	return e.Records >= to.Records && (to.At == 0 || e.At > to.At) && e.Lines >= to.Lines
}

// Extent is how much of a trace the recording has.
func (r *Recording) Extent() Extent { return Extent{Records: r.Len(), At: r.At(r.Len())} }

// keptFrom is the size of an archive whose blocks stay in its file.
const keptFrom = 1 << 20

// Keep leaves the blocks of a large archive in its file, so that they need no memory. That is open then as long as the recording is used,
// and closed when nothing refers to it any more. Otherwise done, which is called after Read, closes it.
func (how *Reading) Keep(in *input.File) (done func()) {
	if in.Kind == input.Archive && in.Size > keptFrom {
		how.Kept = in
		return func() {}
	}
	return func() { _ = in.Close() }
}

// Read reads a recording from JSON lines or from an archive. An incomplete one is returned as far as it can be read,
// with the reason in Cut.
func (how Reading) Read(r io.Reader, origin Origin) (*Recording, error) {
	file, err := tracefile.New(r)
	if err != nil {
		return nil, err
	}
	origin.Made = file.Header
	if origin.Made != nil && origin.Made.Seed != nil {
		origin.Seed = *origin.Made.Seed
	}
	sum, builder, early, size := sha256.New(), NewBuilder(), newPreview(how), int64(0)
	builder.rec.records.text, builder.rec.records.kept = how.Text, how.Kept
	for piece := range file.Outlines(how.Text) {
		sum.Write(piece.Lines)
		size += int64(piece.Size)
		err := builder.addPiece(piece)
		if err == nil && (size > linesMax || builder.Len() > recordsMax) {
			err = errLarge
		}
		switch {
		case err != nil && builder.Len() == 0:
			return nil, err
		case err != nil:
			origin.Cut, origin.CutBy = err.Error(), err
		case piece.Halt != nil:
			origin.Cut, origin.Halted = piece.Halt.Halt.Message, piece.Halt.Halt.Reason
		}
		if err != nil {
			break
		}
		if how.Progress != nil {
			how.Progress(file.Read(), builder.Len())
		}
		if how.Until != nil && piece.Halt == nil && how.Until(Extent{builder.Len(), builder.rec.At(builder.Len()), size}) {
			whole := how.Whole
			origin.Whole = &whole
			break
		}
		early.add(piece, origin)
	}
	if builder.Len() == 0 {
		return nil, errors.New("it contains no records")
	}
	hash := "sha256:" + hex.EncodeToString(sum.Sum(nil))
	if builder.rec.records.outlined > 0 || origin.Whole != nil {
		hash = ""
	}
	if index := file.Index(); index != nil {
		origin.Result, origin.End = index.Result, index.Virtual
		hash = index.Lines
	}
	return builder.Done(origin, hash), nil
}

// A recording holds at most this much: a small archive can contain many lines.
const (
	linesMax   = 4 << 30
	recordsMax = 10_000_000
)

var errLarge = fmt.Errorf("the trace is longer than %d GiB or %d records; the rest was not read", linesMax>>30, recordsMax)

// Read reads a recording from JSON lines or from an archive.
func Read(r io.Reader, origin Origin) (*Recording, error) { return Reading{}.Read(r, origin) }

// earlySize is the size of the lines in the recording of the first part of a large trace.
const earlySize = 8 << 20

// preview makes a recording of the first part of a trace.
type preview struct {
	show    func(*Recording)
	builder *Builder
	size    int
}

func newPreview(how Reading) *preview {
	p := &preview{show: how.Early}
	if how.Early != nil {
		p.builder = NewBuilder()
		p.builder.rec.records.text, p.builder.rec.records.kept = how.Text, how.Kept
	}
	return p
}

// add adds a piece, and shows the recording as soon as it is large enough.
func (p *preview) add(piece *tracefile.Piece, origin Origin) {
	if p.builder == nil {
		return
	}
	if p.size >= earlySize {
		p.show(p.builder.Done(origin, ""))
		p.builder = nil
		return
	}
	if p.builder.addPiece(piece) != nil {
		p.builder = nil
		return
	}
	p.size += piece.Size
}
