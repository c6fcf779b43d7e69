package trace

import (
	"fmt"
	"strconv"
	"strings"
)

// The paths of changes name fields as kubectl explain does, and say which element of a list is meant:
//
//	spec.replicas                                a field
//	metadata.annotations["example.com/owner"]    a key of a map that is no plain word
//	spec.ports[2]                                an element of a list, by its index
//	status.conditions[type=Available].status     an element of a keyed list
//	spec.template.spec.containers[name="a b"]    a key that is no plain word
//	metadata.finalizers[=foregroundDeletion]     a member of a set
//	status.conditions[type=*]                    the order of a keyed list: the list of its keys
//	metadata.finalizers[=*]                      the order of a set
//
// Whole elements are added and removed at their own path: a keyed element is added at the end of its
// list, and an index beyond the end adds, too. Removing index i cuts the list off before i.
type step struct {
	kind stepKind
	// name is the field, the map's key, or the field that keys a list ("" for a set).
	name string
	// value is the key of an element.
	value string
	index int
}

type stepKind uint8

const (
	stepField stepKind = iota
	stepIndex
	stepElement
	stepOrder
)

func (s step) append(path []byte) []byte {
	switch s.kind {
	case stepIndex:
		return append(strconv.AppendInt(append(path, '['), int64(s.index), 10), ']')
	case stepOrder:
		return append(append(append(path, '['), s.name...), "=*]"...)
	case stepElement:
		path = append(append(append(path, '['), s.name...), '=')
		if isPlain(s.value, "./:") {
			return append(append(path, s.value...), ']')
		}
		return append(strconv.AppendQuote(path, s.value), ']')
	}
	if !isPlain(s.name, "") || s.name[0] == '-' || s.name[0] >= '0' && s.name[0] <= '9' {
		return append(strconv.AppendQuote(append(path, '['), s.name), ']')
	}
	if len(path) > 0 {
		path = append(path, '.')
	}
	return append(path, s.name...)
}

// isPlain says whether text has letters, digits, _, - and the extra characters only.
func isPlain(text, extra string) bool {
	for i := range len(text) {
		c := text[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' {
			continue
		}
		if strings.IndexByte(extra, c) < 0 {
			return false
		}
	}
	return text != ""
}

func printPath(steps []step) string {
	path := make([]byte, 0, 64)
	for _, s := range steps {
		path = s.append(path)
	}
	return string(path)
}

// parsePath reads what printPath printed.
func parsePath(path string) ([]step, error) {
	var steps []step
	for rest := path; rest != ""; {
		if rest[0] != '[' {
			if len(steps) > 0 {
				if rest[0] != '.' {
					return nil, fmt.Errorf("path %q: a dot is missing before %q", path, rest)
				}
				rest = rest[1:]
			}
			end := strings.IndexAny(rest, ".[")
			if end < 0 {
				end = len(rest)
			}
			if end == 0 {
				return nil, fmt.Errorf("path %q: a field's name is missing before %q", path, rest)
			}
			steps = append(steps, step{kind: stepField, name: rest[:end]})
			rest = rest[end:]
			continue
		}
		s, length, ok := parseBracket(rest)
		if !ok {
			return nil, fmt.Errorf("path %q: %q is no list element and no quoted key", path, rest)
		}
		steps = append(steps, s)
		rest = rest[length:]
	}
	return steps, nil
}

// parseBracket reads a step in brackets at the start of text, and says how long it is.
func parseBracket(text string) (s step, length int, ok bool) {
	if quoted, err := strconv.QuotedPrefix(text[1:]); err == nil {
		name, _ := strconv.Unquote(quoted)
		length = len(quoted) + 2
		return step{kind: stepField, name: name}, length, strings.HasPrefix(text[length-1:], "]")
	}
	equals, end := strings.IndexByte(text, '='), strings.IndexByte(text, ']')
	if end < 0 {
		return step{}, 0, false
	}
	if equals < 0 || end < equals {
		index, err := strconv.Atoi(text[1:end])
		return step{kind: stepIndex, index: index}, end + 1, err == nil && index >= 0
	}
	name, value := text[1:equals], text[equals+1:]
	if quoted, err := strconv.QuotedPrefix(value); err == nil {
		unquoted, _ := strconv.Unquote(quoted)
		length = equals + 2 + len(quoted)
		return step{kind: stepElement, name: name, value: unquoted}, length, strings.HasPrefix(text[length-1:], "]")
	}
	if text[equals+1:end] == "*" {
		return step{kind: stepOrder, name: name}, end + 1, true
	}
	return step{kind: stepElement, name: name, value: text[equals+1 : end]}, end + 1, end > equals+1
}
