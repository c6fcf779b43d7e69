// Package merging adds a session to the kubeconfig file that kubectl reads by default, and removes it again.
//
// That file is the user's. It can name programs, files and servers, and client-go does what it says; so nothing here loads it for a
// connection, and no value of it is used. It is read as a tree of YAML for one purpose, to find the lines at which the lists of clusters,
// users and contexts are. The session is inserted there as lines of text, so that all others keep every byte, comments too. Afterwards the
// tree of the new text is compared with the old one: if anything but the session and the current context differs, nothing is written.
//
// The file is locked as client-go locks it, replaced as a whole, and only its owner can read it then.
package merging

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/serving/control"
	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// Path is the file that kubectl changes: the first file in the variable KUBECONFIG that exists, otherwise the last one, and without the
// variable config in the folder .kube of the user (client-go's PathOptions.GetDefaultFilename).
func Path() (string, error) {
	var last string
	for _, path := range filepath.SplitList(os.Getenv("KUBECONFIG")) {
		if path == "" {
			continue
		}
		last = path
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	if last != "" {
		return last, nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".kube", "config"), err
}

// Error is a kubeconfig file to which no session can be added, or from which none can be removed.
type Error struct{ Path, Problem, Try string }

// Error implements error.
func (e *Error) Error() string { return e.Path + " " + e.Problem }

// Merged is a session in a kubeconfig file.
type Merged struct {
	// Path is the file.
	Path string

	name string
	// before and after are the text of the file without the session and with it, and existed that there was a file.
	before, after []byte
	existed       bool
}

// Add adds a session, and makes its context the current one. What a session of the same name has left behind is replaced. The item of the
// context has an extension with the names of the contexts that were the current one before, so that the last of them comes back in
// whatever order sessions end. The error is an
// *Error, or that of package input or package output.
func Add(path string, k control.Kubeconfig) (*Merged, error) {
	m := &Merged{Path: path, name: k.Name}
	if err := output.Folder(filepath.Dir(path)); err != nil {
		return nil, err
	}
	unlock, err := output.Lock(path)
	if err != nil {
		return nil, err
	}
	defer unlock()
	there, existed, err := read(path)
	if err != nil {
		return nil, err
	}
	m.existed = existed
	if m.before, err = without(there, k.Name, true); err == nil {
		m.after, err = with(m.before, k)
	}
	if err != nil {
		return nil, placed(path, err)
	}
	return m, replace(path, there, m.after)
}

// Remove removes the session. If nobody has changed the file, it is as before Add.
func (m *Merged) Remove() error {
	unlock, err := output.Lock(m.Path)
	if err != nil {
		return err
	}
	defer unlock()
	there, existed, err := read(m.Path)
	switch {
	case err != nil || !existed:
		return err
	case !bytes.Equal(there, m.after):
		next, err := without(there, m.name, false)
		if err != nil {
			return placed(m.Path, err)
		}
		return replace(m.Path, there, next)
	case !m.existed:
		return os.Remove(m.Path)
	}
	return replace(m.Path, there, m.before)
}

// placed is an error with the file.
func placed(path string, err error) error {
	var wrong *Error
	if errors.As(err, &wrong) {
		wrong.Path = path
	}
	return err
}

// read reads the file; existed is false if there is none.
func read(path string) (text []byte, existed bool, err error) {
	file, err := input.Open(path, input.Kubeconfig)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, nil
	case err != nil:
		return nil, false, err
	}
	defer file.Close()
	text, err = io.ReadAll(file)
	return text, true, err
}

// replace writes the file, unless somebody who does not know of locks has written it since it was read. It does not follow a link.
func replace(path string, was, next []byte) error {
	if bytes.Equal(was, next) {
		return nil
	}
	return output.WriteFile(path, next, output.Rights{
		Own: []input.Kind{input.Kubeconfig, input.Unknown}, Private: true, Instead: "again, if another program has just changed it",
		Whole: func(file *input.File) bool {
			now, err := io.ReadAll(file)
			return err == nil && bytes.Equal(now, was)
		},
	})
}

// problem is an Error without its file.
func problem(try, format string, args ...any) *Error {
	return &Error{Problem: fmt.Sprintf(format, args...), Try: try}
}
