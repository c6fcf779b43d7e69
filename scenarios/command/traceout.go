package command

import (
	"os"
	"path/filepath"

	"github.com/kubestep/kubestep/scenarios/output"
	"github.com/kubestep/kubestep/sim/tracefile"
)

// createTrace opens the file of --trace-out; an empty path makes one that does nothing.
func createTrace(path string, replace bool) (*output.Trace, error) {
	if path == "" {
		return &output.Trace{}, nil
	}
	file, err := createTraceFile(path, replace)
	if err != nil {
		return nil, err
	}
	return output.NewTrace(file), nil
}

// createTraceFile opens the file of --trace-out.
func createTraceFile(path string, replace bool) (*output.File, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
	case info.IsDir():
		return nil, &UsageError{path + " is a directory", "--trace-out " + filepath.Join(path, "trace.jsonl")}
	case info.Mode().IsRegular() && info.Size() > 0 && !tracefile.Is(path):
		if err := MayReplace(path, replace); err != nil {
			return nil, err
		}
	}
	return output.Create(path)
}

// MayReplace refuses to replace a file that somebody may have edited. A trace is none: it can be made again.
func MayReplace(path string, replace bool) error {
	if _, err := os.Stat(path); path == "" || err != nil || replace {
		return nil
	}
	return &UsageError{path + " exists", "--force to replace it, or another file"}
}
