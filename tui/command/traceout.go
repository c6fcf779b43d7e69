package command

import (
	"errors"
	"path/filepath"
	"syscall"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/output"
)

// createTrace opens the file of --trace-out; an empty path makes one that does nothing.
func createTrace(path string, rights output.Rights) (*output.Trace, error) {
	if path == "" {
		return &output.Trace{}, nil
	}
	file, err := createTraceFile(path, rights)
	if err != nil {
		return nil, err
	}
	return output.NewTrace(file), nil
}

// createTraceFile opens the file of --trace-out.
func createTraceFile(path string, rights output.Rights) (*output.File, error) {
	file, err := output.Create(path, rights)
	if errors.Is(err, syscall.EISDIR) {
		return nil, cli.Usage(path+" is a directory", "--trace-out "+filepath.Join(path, "trace.jsonl"))
	}
	return file, err
}
