// Package output writes the results of commands, so that none is lost without a word: a file is complete or not there,
// and a stream remembers the first write that failed.
package output

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/kubestep/kubestep/scenarios/interrupt"
)

// File is a file that is complete or not there: it is written beside its destination and moved there at
// the end. Mode and symbolic links are as os.WriteFile has them: the umask counts, an existing file keeps its
// mode, and a link stays one. What is not a regular file, such as a pipe, is written as it is.
//
// github.com/google/renameio/v2 (v2.0.2) does less here: it leaves the temporary file behind when a signal
// ends the process, puts a regular file in the place of a link or a named pipe, does not exist for Windows,
// and takes twice as long for a trace of 20 MB, because it waits for the disk. A trace can be made again.
type File struct {
	// name is the file as the user named it, and path where it is, behind links.
	name, path string
	stop       func()

	// mu guards the rest: the end of a run that outgrows its memory comes from another goroutine.
	mu   sync.Mutex
	file *os.File
	out  *bufio.Writer
	err  error
	// direct says that the destination itself is written.
	direct bool
}

// Create opens the temporary file, or the destination that no file can replace.
func Create(path string) (*File, error) {
	name := path
	path, err := followLinks(path)
	if err != nil {
		return nil, &Error{name, err}
	}
	f := &File{name: name, path: path, stop: func() {}}
	switch info, missing := os.Stat(path); {
	case errors.Is(missing, fs.ErrNotExist):
		f.file, err = createBeside(path, 0o666)
	case missing != nil:
		err = missing
	case info.Mode().IsRegular():
		if f.file, err = createBeside(path, info.Mode().Perm()); err == nil {
			err = f.file.Chmod(info.Mode().Perm())
		}
	default:
		f.direct = true
		f.file, err = os.OpenFile(path, os.O_WRONLY, 0)
	}
	if err != nil {
		f.Discard()
		return nil, &Error{name, err}
	}
	f.out = bufio.NewWriterSize(f.file, 1<<16)
	if !f.direct {
		temporary := f.file.Name()
		f.stop = interrupt.Cleanup(func() { os.Remove(temporary) })
	}
	return f, nil
}

// linksMax is how many links a path may go through, as on Linux.
const linksMax = 40

// followLinks is the path behind symbolic links. Its file need not exist, as filepath.EvalSymlinks has it.
func followLinks(path string) (string, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target, nil
	}
	if _, err := os.Stat(path); err == nil {
		return path, nil // such as /dev/stdout, which leads to a pipe without a name
	}
	for range linksMax {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return path, nil // a missing directory is an error of whoever creates the file
		}
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return path, err
		}
		target, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(target) {
			// filepath.Join would remove "link/.." without a look at where the link leads.
			directory, _ := filepath.Split(path)
			target = directory + target
		}
		path = target
	}
	return "", syscall.ELOOP
}

// SameFile reports whether two paths are those of one file.
func SameFile(a, b string) bool {
	first, err1 := os.Stat(a)
	second, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(first, second)
}

// CheckWritable finds out before long work whether its result can be written to a file.
func CheckWritable(path string) error {
	if info, err := os.Stat(path); path == "" || err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return &Error{path, syscall.EISDIR}
	}
	file, err := Create(path)
	if err != nil {
		return err
	}
	file.Discard()
	return nil
}

// Opened is a destination that is open already, and that somebody else completes.
func Opened(name string, file *os.File) *File {
	return &File{name: name, path: name, stop: func() {}, file: file, out: bufio.NewWriterSize(file, 1<<16), direct: true}
}

// Handle is the file that is written, for a process that is to write it instead.
func (f *File) Handle() *os.File { return f.file }

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
		return 0, &Error{w.name, w.err}
	}
	return len(data), nil
}

// Commit moves the complete file to its place. The error is an *Error.
func (f *File) Commit() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return nil
	}
	if err := cmp.Or(f.err, f.out.Flush(), f.file.Close()); err != nil {
		return &Error{f.name, err}
	}
	if !f.direct {
		if err := os.Rename(f.file.Name(), f.path); err != nil {
			return &Error{f.name, err}
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
func WriteFile(path string, data []byte) error {
	file, err := Create(path)
	if err != nil {
		return err
	}
	defer file.Discard()
	file.Write(data)
	return file.Commit()
}
