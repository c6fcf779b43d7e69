package archive

import "fmt"

// Kind is what is wrong with an archive.
type Kind int

// What is wrong with an archive.
const (
	// Foreign is a file that is not an archive.
	Foreign Kind = iota
	// Newer is an archive in a newer version of the format.
	Newer
	// Truncated is an archive without its end.
	Truncated
	// Damaged is an archive of which a part is not what was written.
	Damaged
	// Swollen is an archive with more text than its size allows.
	Swollen
	// Unreadable is a file that the system does not read.
	Unreadable
)

// Error is an error in an archive.
type Error struct {
	Kind Kind
	// Offset is the byte at which it is, from 0.
	Offset  int64
	Problem string
	// Records is how many records before it can be read.
	Records int
}

// Error implements error.
func (e *Error) Error() string {
	switch e.Kind {
	case Truncated, Damaged:
		return fmt.Sprintf("byte %d: %s", e.Offset, e.Problem)
	}
	return e.Problem
}

// Try says what helps.
func (e *Error) Try() string {
	switch e.Kind {
	case Newer:
		return "a newer kubestep, or JSON lines: kubestep convert, with the kubestep that made the archive"
	case Swollen:
		return "the JSON lines of the trace instead"
	case Truncated, Damaged:
		if e.Records == 0 {
			return "another copy"
		}
		return "another copy; kubestep open shows the records before the damage"
	}
	return "a trace: kubestep run NAME --trace-out trace" + Suffix
}

func damaged(offset int64, format string, args ...any) error {
	return &Error{Kind: Damaged, Offset: offset, Problem: fmt.Sprintf(format, args...)}
}
