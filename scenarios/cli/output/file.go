// Package output writes the results of commands, so that none is lost without a word: a file is complete or not there,
// and a stream remembers the first write that failed. It is the only package that writes a file under a name that somebody gave, and
// no result replaces a file that is not one of kubestep's own (see Rights).
package output

import (
	"bufio"
	"cmp"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/kubestep/kubestep/scenarios/cli/interrupt"
)

// File is a file that is complete or not there: it is written beside its destination and moved there at
// the end. The umask counts, and an existing file keeps its mode. What is not a regular file, such as a pipe, is written as it is.
//
// github.com/google/renameio/v2 (v2.0.2) does less here: it leaves the temporary file behind when a signal
// ends the process, puts a regular file in the place of a named pipe, does not exist for Windows,
// and takes twice as long for a trace of 20 MB, because it waits for the disk. A trace can be made again.
type File struct {
	path   string
	rights Rights
	stop   func()

	// mu guards the rest: the end of a run that outgrows its memory comes from another goroutine.
	mu   sync.Mutex
	file *os.File
	out  *bufio.Writer
	err  error
	// direct says that the destination itself is written.
	direct bool
}

// Create opens the temporary file, or the destination that no file can replace. The error is an *ExistsError or an *Error.
func Create(path string, rights Rights) (*File, error) {
	mode, direct, err := rights.look(path)
	if err != nil {
		return nil, err
	}
	f := &File{path: path, rights: rights, stop: func() {}, direct: direct}
	if direct {
		f.file, err = openDirect(path)
	} else if f.file, err = createBeside(path, mode); err != nil {
		err = &Error{path, err}
	}
	if err != nil {
		return nil, err
	}
	f.out = bufio.NewWriterSize(f.file, 1<<16)
	if !f.direct {
		temporary := f.file.Name()
		f.stop = interrupt.Cleanup(func() { os.Remove(temporary) })
	}
	return f, nil
}

// SameFile reports whether two paths are those of one file.
func SameFile(a, b string) bool {
	first, err1 := os.Stat(a)
	second, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(first, second)
}

// Check finds out before long work whether its result can be written to a file. An empty path is none.
func Check(path string, rights Rights) error {
	if path == "" {
		return nil
	}
	if _, direct, err := rights.look(path); direct || err != nil {
		return err
	}
	file, err := Create(path, rights)
	if err != nil {
		return err
	}
	file.Discard()
	return nil
}

// Opened is a destination that is open already, and that somebody else completes.
func Opened(name string, file *os.File) *File {
	return &File{path: name, stop: func() {}, file: file, out: bufio.NewWriterSize(file, 1<<16), direct: true}
}

// Handle is the file that is written, for a process that is to write it instead.
func (f *File) Handle() *os.File { return f.file }

// createBeside is os.CreateTemp with a mode. os.CreateTemp chooses a name that is free; the file of that name
// is created again, so that the process's umask counts. A mode that is that of an older file is set as it is.
func createBeside(path string, mode mode) (*os.File, error) {
	free, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return nil, err
	}
	free.Close()
	if err := os.Remove(free.Name()); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(free.Name(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode.bits)
	if err == nil && mode.kept {
		err = file.Chmod(mode.bits)
	}
	return file, err
}

// Write adds to the file. Commit returns the first error; after Commit and Discard, nothing is added.
func (f *File) Write(data []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file != nil && f.err == nil {
		_, f.err = f.out.Write(data)
	}
}

// Writer is the file as an io.Writer, which reports the first error.
func (f *File) Writer() io.Writer { return fileWriter{f} }

type fileWriter struct{ *File }

func (w fileWriter) Write(data []byte) (int, error) {
	w.File.Write(data)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return 0, &Error{w.path, w.err}
	}
	return len(data), nil
}

// Commit moves the complete file to its place. The error is an *Error or an *ExistsError; Discard must follow it.
func (f *File) Commit() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return nil
	}
	if err := cmp.Or(f.err, f.out.Flush(), f.file.Close()); err != nil {
		return &Error{f.path, err}
	}
	if !f.direct {
		// Somebody may have put a file there while a run took its time.
		if _, _, err := f.rights.look(f.path); err != nil {
			return err
		}
		if err := os.Rename(f.file.Name(), f.path); err != nil {
			return &Error{f.path, err}
		}
	}
	f.file = nil
	f.stop()
	return nil
}

// Discard removes the temporary file unless it was committed.
func (f *File) Discard() {
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

// WriteFile writes a whole file.
func WriteFile(path string, data []byte, rights Rights) error {
	file, err := Create(path, rights)
	if err != nil {
		return err
	}
	defer file.Discard()
	file.Write(data)
	return file.Commit()
}
