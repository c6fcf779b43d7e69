package diff

import (
	"fmt"
	"strconv"
	"strings"
)

// The paths of changes name fields as kubectl explain does, and identify elements of lists:
//
//	spec.replicas                                a field
//	metadata.annotations["example.com/owner"]    a key of a map that is not a plain word
//	spec.ports[2]                                an element of a list, by its index
//	status.conditions[type=Available].status     an element of a keyed list
//	spec.template.spec.containers[name="a b"]    a key that is not a plain word
//	metadata.finalizers[=foregroundDeletion]     a member of a set
//	status.conditions[type=*]                    the order of a keyed list: the list of its keys
//	metadata.finalizers[=*]                      the order of a set
//
// Whole elements are added and removed at their own path: a keyed element is added at the end of its list, and an index
// beyond the end adds, too. Removing index i truncates the list before i.
type Step struct {
	Kind StepKind
	// Name is the field, the map's key, or the field that keys a list ("" for a set).
	Name string
	// Value is the key of an element.
	Value string
	Index int
}

// StepKind is the kind of a step.
type StepKind uint8

// The kinds of steps: a field, an element by its index, an element by its key, and the order of a list.
const (
	Field StepKind = iota
	Index
	Element
	Order
)

// Append appends the step to a path.
func (s Step) Append(path []byte) []byte {
	switch s.Kind {
	case Index:
		return append(strconv.AppendInt(append(path, '['), int64(s.Index), 10), ']')
	case Order:
		return append(append(append(path, '['), s.Name...), "=*]"...)
	case Element:
		path = append(append(append(path, '['), s.Name...), '=')
		if isPlain(s.Value, "./:") {
			return append(append(path, s.Value...), ']')
		}
		return append(strconv.AppendQuote(path, s.Value), ']')
	}
	if !isPlain(s.Name, "") || s.Name[0] == '-' || s.Name[0] >= '0' && s.Name[0] <= '9' {
		return append(strconv.AppendQuote(append(path, '['), s.Name), ']')
	}
	if len(path) > 0 {
		path = append(path, '.')
	}
	return append(path, s.Name...)
}

// isPlain reports whether text consists of letters, digits, _, - and the extra characters.
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

// PrintPath is the text of a path.
func PrintPath(steps []Step) string {
	path := make([]byte, 0, 64)
	for _, s := range steps {
		path = s.Append(path)
	}
	return string(path)
}

// ParsePath parses a path that PrintPath printed.
func ParsePath(path string) ([]Step, error) {
	var steps []Step
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
				return nil, fmt.Errorf("path %q: the name of a field is missing before %q", path, rest)
			}
			steps = append(steps, Step{Kind: Field, Name: rest[:end]})
			rest = rest[end:]
			continue
		}
		s, length, ok := parseBracket(rest)
		if !ok {
			return nil, fmt.Errorf("path %q: %q is not a list element or a quoted key", path, rest)
		}
		steps = append(steps, s)
		rest = rest[length:]
	}
	return steps, nil
}

// parseBracket parses a step in brackets at the start of text, and returns its length.
func parseBracket(text string) (s Step, length int, ok bool) {
	if quoted, err := strconv.QuotedPrefix(text[1:]); err == nil {
		name, _ := strconv.Unquote(quoted)
		length = len(quoted) + 2
		return Step{Kind: Field, Name: name}, length, strings.HasPrefix(text[length-1:], "]")
	}
	equals, end := strings.IndexByte(text, '='), strings.IndexByte(text, ']')
	if end < 0 {
		return Step{}, 0, false
	}
	if equals < 0 || end < equals {
		index, err := strconv.Atoi(text[1:end])
		return Step{Kind: Index, Index: index}, end + 1, err == nil && index >= 0
	}
	name, value := text[1:equals], text[equals+1:]
	if quoted, err := strconv.QuotedPrefix(value); err == nil {
		unquoted, _ := strconv.Unquote(quoted)
		length = equals + 2 + len(quoted)
		return Step{Kind: Element, Name: name, Value: unquoted}, length, strings.HasPrefix(text[length-1:], "]")
	}
	if text[equals+1:end] == "*" {
		return Step{Kind: Order, Name: name}, end + 1, true
	}
	return Step{Kind: Element, Name: name, Value: text[equals+1 : end]}, end + 1, end > equals+1
}
