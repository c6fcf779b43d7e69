package cli

import (
	"fmt"
	"path/filepath"

	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace/file/tracefile"
)

// ReadTrace reads the trace of a file, and shows on a terminal how far it is. An incomplete trace is returned as far as it can be read,
// with the reason in Cut. text, which may be nil, changes the lines that are decoded. The error is a *UsageError.
func ReadTrace(streams Streams, path string, text func(lines []byte) []byte) (*recording.Recording, error) {
	in, err := tracefile.Open(path)
	if err != nil {
		return nil, InputError(err)
	}
	how := recording.Reading{Text: text}
	defer how.Keep(in)()
	defer output.ShowReading(streams.Err, in)()
	rec, err := how.Read(in, recording.Origin{Name: tracefile.Name(filepath.Base(path))})
	if err != nil {
		return nil, TraceError(fmt.Errorf("%s: %w", path, err))
	}
	return rec, nil
}

// CatchDamage calls a function that reads a recording, and returns its error. If an archive is not what the outlines of its blocks say,
// which shows only when a block is decompressed, the error is a *UsageError.
func CatchDamage(read func() error) (err error) {
	defer func() {
		switch reason := recover().(type) {
		case nil:
		case *recording.Damage:
			err = TraceError(reason)
		default:
			panic(reason)
		}
	}()
	return read()
}
