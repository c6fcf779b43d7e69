package output

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Growing opens a file that has to be there as far as it is written, such as a log: nobody waits for its end. It replaces what the
// rights allow, and never writes through a link.
func Growing(path string, rights Rights) (*os.File, error) {
	m, direct, err := rights.look(path)
	switch {
	case err != nil:
		return nil, err
	case direct:
		return openDirect(path)
	}
	return fresh(path, m, os.O_APPEND)
}

// Changing is Growing for a file of which parts are written over. It returns nil for a path that is no regular file, such as a pipe.
func Changing(path string, rights Rights) (*os.File, error) {
	m, direct, err := rights.look(path)
	if err != nil || direct {
		return nil, err
	}
	return fresh(path, m, 0)
}

// fresh makes a new file, since the older one may be open elsewhere, or get another name.
func fresh(path string, m mode, flag int) (*os.File, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, &Error{path, err}
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|flag, m.bits)
	if err != nil {
		return nil, &Error{path, err}
	}
	return file, nil
}

// openDirect opens a destination that is no regular file. Opening a named pipe that no process reads would
// wait until one reads it, so it is refused.
func openDirect(path string) (*os.File, error) {
	flags := os.O_WRONLY | os.O_APPEND
	if info, err := os.Stat(path); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		flags |= nonblocking
	}
	file, err := os.OpenFile(path, flags, 0)
	switch {
	case errors.Is(err, syscall.ENXIO):
		return nil, &ExistsError{path, "is a named pipe that no process reads",
			"start its reader first: cat " + path + " > trace.jsonl &", err}
	case err != nil:
		return nil, &Error{path, err}
	}
	return file, nil
}

// Appending opens a file for adding to it, or makes it. It does not follow a link. The caller looks at what is there.
func Appending(path string) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, Rights{Instead: "another folder"}.refuseLink(path)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND|notThroughLinks, ordinaryMode)
	if err != nil {
		return nil, &Error{path, err}
	}
	return file, nil
}

// Folder makes a folder for files, unless it is there.
func Folder(path string) error {
	err := os.MkdirAll(path, 0o777)
	if err == nil {
		return nil
	}
	if info, statErr := os.Stat(path); statErr == nil && !info.IsDir() {
		return &ExistsError{path, "exists, and is not a directory", "another directory", err}
	}
	return &Error{path, err}
}

// PrivateFolder is Folder for one that only its owner may look into.
func PrivateFolder(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return &Error{path, err}
	}
	return nil
}
