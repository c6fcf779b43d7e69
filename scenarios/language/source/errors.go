package source

import (
	"fmt"
	"sort"
	"strings"
)

// Error is one thing that is wrong with a scenario. It prints as file, place, field and message:
//
//	scenarios/x.yaml:14:12: spec.steps[2].after: invalid duration "5 s"
//
// and leaves Try, what to write instead, to the command line, which prints it on a line of its own.
type Error struct {
	File string
	Position
	Path    string // field path, empty when the error is about the whole file
	Message string
	Try     string
}

// Error leaves out what is not known: a duration that comes from a flag has no file and no field.
func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File)
		if e.Line > 0 {
			fmt.Fprintf(&b, ":%d", e.Line)
		}
		if e.Line > 0 && e.Column > 0 {
			fmt.Fprintf(&b, ":%d", e.Column)
		}
		b.WriteString(": ")
	}
	if e.Path != "" {
		b.WriteString(e.Path + ": ")
	}
	b.WriteString(e.Message)
	return b.String()
}

// Move puts the error at another place. In a file that the scenario names, the field of the scenario says nothing.
func (e *Error) Move(at Position) {
	e.Position = at
	if at.In != "" {
		e.File, e.Path = at.In, ""
	}
}

// Problem is an error without a place; the caller that knows the field adds it (see File.Place).
func Problem(try, format string, args ...any) *Error {
	return &Error{Message: fmt.Sprintf(format, args...), Try: try}
}

// ErrorList is everything that is wrong with a file, in the order of the lines.
type ErrorList []*Error

// Error has one line per error, without the hints.
func (l ErrorList) Error() string {
	lines := make([]string, len(l))
	for i, e := range l {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap lets errors.As find the single errors.
func (l ErrorList) Unwrap() []error {
	out := make([]error, len(l))
	for i, e := range l {
		out[i] = e
	}
	return out
}

// Err is nil for an empty list, so that a caller never gets a non-nil error that holds nothing.
func (l ErrorList) Err() error {
	if len(l) == 0 {
		return nil
	}
	l.Sort()
	return l
}

// Distinct leaves out the errors at a place that has one already.
func (l ErrorList) Distinct() (distinct ErrorList) {
	type place struct {
		file string
		Position
	}
	seen := map[place]bool{}
	for _, e := range l {
		at := place{e.File, e.Position}
		if e.Line > 0 && seen[at] {
			continue
		}
		seen[at] = true
		distinct = append(distinct, e)
	}
	return distinct
}

// ErrorsMax bounds the report of a file that is wrong everywhere.
const ErrorsMax = 500

// IsFull lets the loader stop looking, so that such a file takes no longer than a good one.
func (l ErrorList) IsFull() bool { return len(l) >= ErrorsMax }

// Sort puts the errors into the order of the file, and those in files that it names, which cause others, before them.
func (l ErrorList) Sort() {
	sort.SliceStable(l, func(i, j int) bool {
		if l[i].In != l[j].In {
			return l[i].In > l[j].In
		}
		if l[i].Line != l[j].Line {
			return l[i].Line < l[j].Line
		}
		return l[i].Column < l[j].Column
	})
}
