package tracefile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// Whole reports whether a file is a trace from its first byte to its last: nobody has written anything into it. It reads the file once and
// decodes no record, so a trace of another version is one, too, and it holds one line or one block at a time.
//
// The last line may have lost its end, since a process that is killed leaves such a trace behind.
func Whole(file *input.File) bool {
	switch file.Kind {
	case input.Trace:
		return wholeLines(file)
	case input.Archive:
		return wholeArchive(file)
	}
	return false
}

// lineBegin begins every line of a trace.
const lineBegin = `{"seq":`

// wholeLines reports whether each line is a record.
func wholeLines(file io.Reader) bool {
	lines := bufio.NewScanner(file)
	const usual = 1 << 16
	lines.Buffer(make([]byte, usual), trace.MaxLine)
	ended := true
	lines.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		advance, line, err := bufio.ScanLines(data, atEOF)
		ended = line == nil || advance > len(line)
		return advance, line, err
	})
	for lines.Scan() {
		switch line := lines.Bytes(); {
		case ended && (!bytes.HasPrefix(line, []byte(lineBegin)) || !json.Valid(line)):
			return false
		case !ended && !bytes.HasPrefix(line, []byte(lineBegin)) && !bytes.HasPrefix([]byte(lineBegin), line):
			return false
		}
	}
	return lines.Err() == nil
}

// wholeArchive reports whether all frames are there, with nothing behind them.
func wholeArchive(file io.Reader) bool {
	reader, err := archive.NewReader(file)
	for err == nil {
		_, err = reader.Next()
	}
	return errors.Is(err, io.EOF)
}
