package source

import (
	"regexp"
	"strconv"
)

// printed matches what Error returns: the file and the place in it, the field, and the message. Each but the last may be missing.
var printed = regexp.MustCompile(`(?s)^(?:([^\n]+?):(\d+)(?::(\d+))?: )?(?:((?:apiVersion|kind|metadata|spec)[^\s:]*): )?(.*)$`)

// Read reads an error that another process has printed, without Try. A text that names neither a place nor a field is the message.
func Read(text string) *Error {
	part := printed.FindStringSubmatch(text)
	if part == nil || part[2] == "" && part[4] == "" {
		return &Error{Message: text}
	}
	e := &Error{File: part[1], Path: part[4], Message: part[5]}
	// Only digits match; what is missing is 0.
	e.Line, _ = strconv.Atoi(part[2])
	e.Column, _ = strconv.Atoi(part[3])
	return e
}
