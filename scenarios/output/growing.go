package output

import (
	"errors"
	"io/fs"
	"os"
)

// Growing opens a file that has to be there as far as it is written, such as a log: nobody waits for its end. It replaces what the
// rights allow, and never writes through a link.
func Growing(path string, rights Rights) (*os.File, error) {
	m, direct, err := rights.look(path)
	if err != nil {
		return nil, err
	}
	flags := os.O_WRONLY | os.O_APPEND
	if !direct {
		// A new file, since the older one may be open elsewhere, or get another name.
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, &Error{path, err}
		}
		flags |= os.O_CREATE | os.O_EXCL
	}
	file, err := os.OpenFile(path, flags, m.bits)
	if err != nil {
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
	if err := os.MkdirAll(path, 0o777); err != nil {
		return &Error{path, err}
	}
	return nil
}
