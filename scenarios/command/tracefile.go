package command

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/kubestep/kubestep/sim/trace"
)

// traceFile writes a trace beside its destination and moves it there when it is complete, so that nobody
// ever reads half a trace.
type traceFile struct {
	path string
	file *os.File
	out  *bufio.Writer
	err  error
	stop func()
}

// createTrace opens the temporary file; an empty path makes a traceFile that does nothing.
func createTrace(path string) (*traceFile, error) {
	if path == "" {
		return &traceFile{}, nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, &UsageError{path + " is a directory", "--trace-out " + filepath.Join(path, "trace.jsonl")}
	}
	return createWhole(path)
}

// createWhole opens the temporary file of any file that is to be whole or not there.
func createWhole(path string) (*traceFile, error) {
	t := &traceFile{path: path}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if path := new(fs.PathError); errors.As(err, &path) {
		// The name of the temporary file would mean nothing to the reader.
		path.Path = t.path
	}
	if err != nil {
		return nil, fileError(err)
	}
	t.file, t.out = file, bufio.NewWriterSize(file, 1<<16)
	t.stop = interrupts(func() { os.Remove(file.Name()) })
	return t, nil
}

// write is a trace.Sink.
func (t *traceFile) write(_ *trace.Record, line []byte) {
	if t.err == nil {
		_, t.err = t.out.Write(line)
	}
}

// commit moves the complete file to its place.
func (t *traceFile) commit() error {
	if t.file == nil {
		return nil
	}
	for _, step := range []func() error{
		func() error { return t.err },
		t.out.Flush,
		func() error { return t.file.Chmod(0o644) },
		t.file.Close,
		func() error { return os.Rename(t.file.Name(), t.path) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	t.file = nil
	t.stop()
	return nil
}

// discard removes the temporary file unless it was committed.
func (t *traceFile) discard() {
	if t.file == nil {
		return
	}
	t.file.Close()
	os.Remove(t.file.Name())
	t.file = nil
	t.stop()
}
