// Package input opens the files that somebody names as input: scenarios, traces, dumps. It accepts regular files only. A
// named pipe would wait for a writer that may never come, and a device such as /dev/zero never ends.
package input

import (
	"errors"
	"io/fs"
	"os"
)

// KindError is a file that is not a regular one.
type KindError struct{ Kind string }

// Error implements error.
func (e *KindError) Error() string { return "is " + e.Kind + ", not a regular file" }

// Open opens a regular file. The error is an *fs.PathError; for a file of another kind, it wraps a *KindError.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if kind := kindOf(info.Mode()); kind != "" {
		return nil, &fs.PathError{Op: "open", Path: path, Err: &KindError{kind}}
	}
	return os.Open(path)
}

// IsKind reports whether an error is about the kind of a file.
func IsKind(err error) bool {
	var kind *KindError
	return errors.As(err, &kind)
}

// kindOf names the kind of a file; "" is a regular one.
func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return ""
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}
