package command

import (
	"bufio"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/kubestep/kubestep/sim/trace"
)

// atomicFile is a file that is complete or not there: it is written beside its destination and moved there at
// the end. Mode and symbolic links are as os.WriteFile has them: the umask counts, an existing file keeps its
// mode, and a link stays one. What is not a regular file, such as a pipe, is written as it is.
//
// github.com/google/renameio/v2 (v2.0.2) does less here: it leaves the temporary file behind when a signal
// ends the process, puts a regular file in the place of a link or a named pipe, does not exist for Windows,
// and takes twice as long for a trace of 20 MB, because it waits for the disk. A trace can be made again.
type atomicFile struct {
	path string
	out  *bufio.Writer
	err  error
	stop func()

	// mu guards file: the end of a run that outgrows its memory comes from another goroutine.
	mu   sync.Mutex
	file *os.File
	// direct says that the destination itself is written.
	direct bool
}

// createTrace opens the file of --trace-out; an empty path makes one that does nothing.
func createTrace(path string) (*atomicFile, error) {
	if path == "" {
		return &atomicFile{}, nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, &UsageError{path + " is a directory", "--trace-out " + filepath.Join(path, "trace.jsonl")}
	}
	return createAtomic(path)
}

// createAtomic opens the temporary file, or the destination that no file can replace.
func createAtomic(path string) (*atomicFile, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	f := &atomicFile{path: path, stop: func() {}}
	var err error
	switch info, missing := os.Stat(path); {
	case missing != nil:
		f.file, err = createBeside(path, 0o666)
	case info.Mode().IsRegular():
		if f.file, err = createBeside(path, info.Mode().Perm()); err == nil {
			err = f.file.Chmod(info.Mode().Perm())
		}
	default:
		f.direct = true
		f.file, err = os.OpenFile(path, os.O_WRONLY, 0)
	}
	if err != nil {
		f.discard()
		var wrong *fs.PathError
		if errors.As(err, &wrong) {
			// The name of the temporary file tells nobody anything.
			wrong.Path = path
		}
		return nil, fileError(err)
	}
	f.out = bufio.NewWriterSize(f.file, 1<<16)
	if !f.direct {
		name := f.file.Name()
		f.stop = onSignal(func() { os.Remove(name) })
	}
	return f, nil
}

// createBeside is os.CreateTemp with a mode. os.CreateTemp chooses a name that is free; the file of that name
// is created again, so that the process's umask counts.
func createBeside(path string, mode fs.FileMode) (*os.File, error) {
	free, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return nil, err
	}
	free.Close()
	if err := os.Remove(free.Name()); err != nil {
		return nil, err
	}
	return os.OpenFile(free.Name(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}

// write is a trace.Sink.
func (f *atomicFile) write(_ *trace.Record, line []byte) {
	if f.err == nil {
		_, f.err = f.out.Write(line)
	}
}

// commit moves the complete file to its place.
func (f *atomicFile) commit() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return nil
	}
	if err := cmp.Or(f.err, f.out.Flush(), f.file.Close()); err != nil {
		return err
	}
	if !f.direct {
		if err := os.Rename(f.file.Name(), f.path); err != nil {
			return err
		}
	}
	f.file = nil
	f.stop()
	return nil
}

// discard removes the temporary file unless it was committed.
func (f *atomicFile) discard() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return
	}
	f.file.Close()
	if !f.direct {
		os.Remove(f.file.Name())
	}
	f.file = nil
	f.stop()
}

// writeAtomic writes a whole file.
func writeAtomic(path string, data []byte) error {
	file, err := createAtomic(path)
	if err != nil {
		return err
	}
	defer file.discard()
	file.write(nil, data)
	if err := file.commit(); err != nil {
		return fileError(err)
	}
	return nil
}

// onSignal calls cleanup and exits, as a shell reports it, when the user gives up or the reader of standard
// output has closed its end.
func onSignal(cleanup func()) (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGPIPE)
	go func() {
		if s, ok := <-signals; ok {
			cleanup()
			os.Exit(128 + int(s.(syscall.Signal)))
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
	}
}
