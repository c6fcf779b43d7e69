package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/kubestep/kubestep/sim/trace/file/input"
	"github.com/kubestep/kubestep/sim/trace/file/tracefile"
)

// Rights say what a result may replace, and who may read it.
//
// A file whose content is of one of the kinds, from its beginning to its end, can be made again, and a new one may take its place. So may
// that of an empty file. Any other one needs Force, and its name says nothing: notes.jsonl is no trace, and neither is a trace below
// which somebody has written notes. A link is never followed, neither for reading its target nor for
// writing it, since somebody else may have put it there; with Force, the file takes the place of the link. Devices and pipes are written
// as they are.
type Rights struct {
	// Force is the flag --force.
	Force bool
	// Own are the kinds of files that need no --force.
	Own []input.Kind
	// Whole reports whether a file that begins as one of these kinds is one to its end. By default, package output asks those who know
	// the kind.
	Whole func(file *input.File) bool
	// Private means that the file has values of Secrets, or a token: only its owner may read it.
	Private bool
	// Instead is what to do if the file must not be replaced; by default, --force or another file.
	Instead string
}

// Traces are the rights of a trace.
func Traces(force bool) Rights {
	return Rights{Force: force, Own: []input.Kind{input.Trace, input.Archive}}
}

// ExistsError is a file that a result may not replace.
type ExistsError struct {
	Path string
	// Problem is what is there: "exists, and is not a trace".
	Problem, Try string
	// Err is what the system says of writing it; nil if it would be written.
	Err error
}

// Error implements error.
func (e *ExistsError) Error() string { return e.Path + " " + e.Problem }

// Unwrap returns the error of the system.
func (e *ExistsError) Unwrap() error { return e.Err }

const (
	ordinaryMode = 0o666
	privateMode  = 0o600
)

// mode is that of a new file; kept means that an older file had it, so that the umask does not count.
type mode struct {
	bits fs.FileMode
	kept bool
}

// look looks at the destination. direct means that it is no file, and is written as it is.
func (r Rights) look(path string) (m mode, direct bool, err error) {
	m = mode{bits: ordinaryMode}
	if r.Private {
		m = mode{privateMode, true}
	}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return m, false, nil // a missing directory is an error of whoever creates the file
	case err != nil:
		return m, false, &Error{path, err}
	case info.Mode()&fs.ModeSymlink != 0 && isStream(path):
		return m, true, nil
	case info.Mode()&fs.ModeSymlink != 0:
		return m, false, r.refuseLink(path)
	case info.IsDir():
		return m, false, &ExistsError{path, "is a directory", "a file in that directory", syscall.EISDIR}
	case !info.Mode().IsRegular():
		return m, true, nil
	}
	if !r.Private {
		m = mode{info.Mode().Perm(), true}
	}
	if r.Force || info.Size() == 0 || r.owns(path, info) {
		return m, false, nil
	}
	problem := "exists"
	if len(r.Own) > 0 {
		problem = "exists, and is not " + r.Own[0].String()
	}
	return m, false, &ExistsError{path, problem, r.instead("--force to replace it, or another file"), nil}
}

// owns reports whether a file is of one of the kinds, and nobody has added anything to it.
func (r Rights) owns(path string, info fs.FileInfo) bool {
	if len(r.Own) == 0 {
		return false
	}
	if r.Whole == nil && owned.has(path, info, r.Own) {
		return true
	}
	file, err := input.Look(path)
	if err != nil {
		return false
	}
	defer file.Close()
	budget := file.Kind.Budget()
	switch {
	case !slices.Contains(r.Own, file.Kind), budget > 0 && file.Size > budget:
		return false
	case r.Whole != nil:
		return r.Whole(file)
	case file.Kind == input.Trace || file.Kind == input.Archive:
		if !tracefile.Whole(file) {
			return false
		}
	case !file.Ends():
		return false
	}
	owned.add(path, info, file.Kind)
	return true
}

// refuseLink is the error about a link, unless it may be replaced.
func (r Rights) refuseLink(path string) error {
	if r.Force {
		return nil
	}
	target, err := os.Readlink(path)
	if err != nil {
		return &Error{path, err}
	}
	problem := fmt.Sprintf("is a link to %s, which is not written", target)
	return &ExistsError{path, problem, r.instead("--force to replace the link, or another file"), nil}
}

func (r Rights) instead(try string) string {
	if r.Instead != "" {
		return r.Instead
	}
	return try
}

// isStream reports whether a path is one of the names that the system has for what a process has open, such as /dev/stdout. They are
// links, and nobody else can make them.
func isStream(path string) bool {
	full, err := filepath.Abs(path)
	return err == nil && slices.ContainsFunc([]string{"/dev/std", "/dev/fd/", "/proc/self/fd/"}, func(begin string) bool {
		return strings.HasPrefix(full, begin)
	})
}
