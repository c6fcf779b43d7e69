package input

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
)

// FileError is a file that is not opened, although it exists.
type FileError struct {
	Path string
	// Problem is what is wrong: "is a named pipe, not a regular file". Try is what to do instead.
	Problem, Try string
}

// Error implements error.
func (e *FileError) Error() string { return e.Path + " " + e.Problem }

// File is a regular file that is read from its beginning to the end that it had when it was opened.
type File struct {
	// Kind is what it contains, as far as its first bytes say.
	Kind Kind
	// Size is in bytes.
	Size int64
	// Private means that only its owner can read it.
	Private bool

	file *os.File
	in   io.Reader
	read atomic.Int64
}

// Open opens a file as one of some kinds. The error is an *fs.PathError, or a *FileError for a file that is not a regular one, is another
// kind, or is larger than the budget of its kind. A file of an unknown kind is opened as the first kind.
func Open(path string, first Kind, more ...Kind) (*File, error) {
	f, err := Look(path)
	if err != nil {
		return nil, err
	}
	if err := f.check(path, first, more); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// What is what a file contains, as far as its first bytes say; Unknown for one that cannot be opened.
func What(path string) Kind {
	f, err := Look(path)
	if err != nil {
		return Unknown
	}
	defer f.Close()
	return f.Kind
}

// Look opens a file to find out what it is, whatever its kind and size are. It looks at the file before it opens it, since opening a
// device may do something, and again afterwards, when nobody can put another one into its place.
func Look(path string) (*File, error) {
	if _, err := stat(path, func() (fs.FileInfo, error) { return os.Stat(path) }); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDONLY|nonblocking, 0)
	if err != nil {
		return nil, err
	}
	info, err := stat(path, file.Stat)
	if err != nil {
		file.Close()
		return nil, err
	}
	head := make([]byte, min(headSize, info.Size()))
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		file.Close()
		return nil, err
	}
	rest := io.LimitReader(file, info.Size()-int64(n))
	return &File{
		Kind: Of(head[:n]), Size: info.Size(), Private: info.Mode().Perm()&othersBits == 0,
		file: file, in: io.MultiReader(bytes.NewReader(head[:n]), rest),
	}, nil
}

// othersBits are the permissions of all but the owner.
const othersBits = 0o077

// stat refuses what is not a regular file.
func stat(path string, how func() (fs.FileInfo, error)) (fs.FileInfo, error) {
	info, err := how()
	if errors.Is(err, syscall.ELOOP) {
		if circle := circleOf(path); circle != "" {
			return nil, &FileError{path, "is a link, and the links go in a circle: " + circle, "a file, or a link that leads to one"}
		}
	}
	if err == nil && !info.Mode().IsRegular() {
		err = &FileError{path, "is " + modeName(info.Mode()) + ", not a regular file", "write its content to a file first"}
	}
	return info, err
}

// circleOf lists the links from a path on, until one comes again: "a -> b -> a". It is empty where the path is not the link itself, but
// leads through one.
func circleOf(path string) string {
	const linksMax = 40 // as many as Linux follows
	links := []string{path}
	for range linksMax {
		target, err := os.Readlink(path)
		if err != nil {
			return ""
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
		links = append(links, path)
		if slices.ContainsFunc(links[:len(links)-1], func(link string) bool { return filepath.Clean(link) == filepath.Clean(path) }) {
			return strings.Join(links, " -> ")
		}
	}
	return ""
}

// check compares a file with what was asked for.
func (f *File) check(path string, first Kind, more []Kind) error {
	kind := f.Kind
	if kind == Unknown || kind == Dump && first == Definitions {
		kind = first
	}
	if kind != first && !slices.Contains(more, kind) {
		return &FileError{path, "is " + kind.String() + ", not " + first.String(), kind.row().try(path)}
	}
	if budget := kind.Budget(); f.Size > budget {
		problem := fmt.Sprintf("has %d bytes, and %s has at most %d", f.Size, kind, budget)
		return &FileError{path, problem, "check that this is " + kind.String() + ", and remove large data"}
	}
	return nil
}

// Ends reports whether the file ends as its kind does, if that has an end of its own.
func (f *File) Ends() bool {
	end := f.Kind.row().end
	tail := make([]byte, len(end))
	if f.Size < int64(len(end)) {
		return false
	}
	_, err := f.file.ReadAt(tail, f.Size-int64(len(end)))
	return err == nil && string(tail) == end
}

// Read implements io.Reader.
func (f *File) Read(to []byte) (int, error) {
	n, err := f.in.Read(to)
	f.read.Add(int64(n))
	return n, err
}

// ReadAt implements io.ReaderAt, for what stands at the end of a file. It does not count as read.
func (f *File) ReadAt(to []byte, offset int64) (int, error) {
	if offset < 0 || offset+int64(len(to)) > f.Size {
		return 0, io.ErrUnexpectedEOF
	}
	return f.file.ReadAt(to, offset)
}

// BytesRead is how much of Size was read so far. Any goroutine may call it.
func (f *File) BytesRead() int64 { return f.read.Load() }

// Name is the path with which the file was opened.
func (f *File) Name() string { return f.file.Name() }

// Close implements io.Closer.
func (f *File) Close() error { return f.file.Close() }

// modeName names a file that is not regular.
func modeName(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}
