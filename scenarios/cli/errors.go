package cli

import (
	"cmp"
	"errors"
	"io"
	"io/fs"

	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/language/snapshot"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/sim/process/lastwords"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// OutputError explains why a file cannot be written. The name is the user's; without one it is that of the error.
func OutputError(name string, err error) error {
	var lost *output.Error
	var exists *output.ExistsError
	var refused *input.FileError
	var path *fs.PathError
	switch {
	case errors.As(err, &lost):
		return lost
	case errors.As(err, &exists):
		return exists
	case errors.As(err, &refused):
		return Usage(refused.Error(), refused.Try)
	case errors.As(err, &path):
		name = cmp.Or(name, path.Path)
	}
	return &output.Error{Name: cmp.Or(name, standardOutput), Err: err}
}

// InputError explains why a file cannot be read.
func InputError(err error) error {
	var path *fs.PathError
	var refused *input.FileError
	switch {
	case errors.As(err, &refused):
		return Usage(refused.Error(), refused.Try)
	case errors.As(err, &path):
		return Usage(path.Path+": "+path.Err.Error(), "another path")
	}
	var placed *source.Error
	if errors.As(err, &placed) {
		return placed
	}
	return Usage(err.Error(), "")
}

// TraceError is an error in a trace as a wrong use of the command line, with a hint.
func TraceError(err error) error {
	try := "a complete trace: kubestep run NAME --trace-out trace.jsonl"
	var bad *archive.Error
	if errors.As(err, &bad) {
		try = bad.Try()
	}
	return Usage(err.Error(), try)
}

// DumpError says what is wrong with a dump.
func DumpError(source string, err error) error {
	var wrong *snapshot.Error
	if errors.As(err, &wrong) {
		return Usage(source+": "+wrong.Message, wrong.Try)
	}
	return err
}

// PrintError prints an error and, if there is one, the hint against it. A program of kubestep that started this one reads both as a line
// of JSON (package lastwords).
func PrintError(out io.Writer, message, try string) {
	words := lastwords.Words{Error: message, Try: try}
	if lastwords.AreWanted() {
		_, _ = out.Write(words.Line())
		return
	}
	_, _ = io.WriteString(out, ErrorText(words))
}

// ErrorText is an error for a person: "Error: ..." and, if there is a hint, "Try: ...", each on a line.
func ErrorText(words lastwords.Words) string {
	text := "Error: " + words.Error + "\n"
	if words.Try != "" {
		text += "Try: " + words.Try + "\n"
	}
	return text
}

// ReportBug is the hint behind an internal fault.
const ReportBug = "report this with the scenario, its seed and the trace (kubestep run FILE --trace-out trace.jsonl)"
