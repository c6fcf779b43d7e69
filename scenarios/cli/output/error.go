package output

import (
	"errors"
	"io"
	"io/fs"
	"sync"
	"syscall"
)

// Error is output that could not be written: the disk is full, or the destination does not allow it.
type Error struct {
	// Name is the file as the user named it, or the name of the stream.
	Name string
	Err  error
}

// Error implements error.
func (e *Error) Error() string { return e.Name + ": " + pathless(e.Err).Error() }

// Unwrap returns the error of the system.
func (e *Error) Unwrap() error { return e.Err }

// Try is what helps against the cause.
func (e *Error) Try() string {
	switch {
	case isOneOf(e.Err, syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG):
		return "free space, or another destination"
	case isOneOf(e.Err, syscall.EMFILE, syscall.ENFILE):
		return TryOpenFiles
	case isOneOf(e.Err, syscall.EROFS) || errors.Is(e.Err, fs.ErrPermission):
		return "a destination that you may write to"
	case isOneOf(e.Err, syscall.ENOTDIR):
		return "a directory; there is a file of that name"
	case isOneOf(e.Err, syscall.EISDIR):
		return "a file in that directory"
	case isOneOf(e.Err, syscall.ELOOP):
		return "a file, or a link that leads to one"
	case errors.Is(e.Err, fs.ErrNotExist):
		return "a directory that exists"
	}
	return "another destination"
}

// TryOpenFiles is the hint where the system refuses to open one more file.
const TryOpenFiles = "fewer --workers, or more open files: ulimit -n 1024"

func isOneOf(err error, numbers ...syscall.Errno) bool {
	for _, number := range numbers {
		if errors.Is(err, number) {
			return true
		}
	}
	return false
}

// pathless is an error of the system without the operation and the path in front of it.
func pathless(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// Lost remembers the first write to a stream that failed.
type Lost struct {
	mu    sync.Mutex
	first *Error
}

func (l *Lost) note(name string, err error) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.first == nil {
		l.first = &Error{name, err}
	}
}

// First is the first write that failed; nil if none did.
func (l *Lost) First() *Error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.first
}

// watched notes the first write that fails. Writers above it need not look: bufio.Writer in a deferred Flush,
// fmt.Fprintln.
type watched struct {
	io.Writer
	name string
	lost *Lost
}

// Watch returns a writer to a stream whose failures are remembered.
func (l *Lost) Watch(w io.Writer, name string) io.Writer { return &watched{w, name, l} }

// Write implements io.Writer.
func (w *watched) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil {
		w.lost.note(w.name, err)
	}
	return n, err
}
