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
)

// Rights say what a result may replace, and who may read it.
//
// A file whose content is of one of the kinds can be made again, and a new one may take its place. So may that of an empty file. Any other
// one needs Force, and its name says nothing: notes.jsonl is no trace. A link is never followed, neither for reading its target nor for
// writing it, since somebody else may have put it there; with Force, the file takes the place of the link. Devices and pipes are written
// as they are.
type Rights struct {
	// Force is the flag --force.
	Force bool
	// Own are the kinds of files that need no --force.
	Own []input.Kind
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
	if r.Force || info.Size() == 0 || slices.Contains(r.Own, input.What(path)) {
		return m, false, nil
	}
	problem := "exists"
	if len(r.Own) > 0 {
		problem = "exists, and is not " + r.Own[0].String()
	}
	return m, false, &ExistsError{path, problem, r.instead("--force to replace it, or another file"), nil}
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
