package source

import (
	"strconv"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"
)

// align finds a place inside a string whose lines are not those of the file: a folded block, a quoted string, or plain
// words over several lines. YAML changes only the white space in them, and the escapes in quotes. So the other
// characters of the value are in the source in the same order, and both are read side by side.
func (f *File) align(node *yaml.Node, line, column int) (Position, bool) {
	value := []rune(node.Value)
	wanted := offset(value, line, column)
	if wanted < 0 || node.Line < 1 || node.Line > len(f.lines) {
		return Position{}, false
	}
	r := &reader{lines: f.lines, at: Position{Line: node.Line, Column: node.Column}, style: node.Style}
	if node.Style&yaml.FoldedStyle != 0 {
		r.at = Position{Line: node.Line + 1, Column: 1} // behind the indicator
	} else if node.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		r.at.Column++
	}
	for i, char := range value {
		if unicode.IsSpace(char) {
			if i == wanted {
				return r.at, true
			}
			continue
		}
		at, ok := r.next(char)
		if !ok {
			return Position{}, false
		}
		if i == wanted {
			return at, true
		}
	}
	return r.at, wanted == len(value)
}

// offset is the index of a place in a text; -1 if it is not in it.
func offset(text []rune, line, column int) int {
	at := 0
	for ; line > 1; line-- {
		end := strings.IndexRune(string(text[at:]), '\n')
		if end < 0 {
			return -1
		}
		at += len([]rune(string(text[at:])[:end])) + 1
	}
	if at += column - 1; at < 0 || at > len(text) {
		return -1
	}
	return at
}

// reader reads the characters of a YAML scalar in the source.
type reader struct {
	lines []string
	at    Position
	style yaml.Style
}

// next passes white space and the character, and returns where the character is; not ok if another one is there.
func (r *reader) next(char rune) (at Position, ok bool) {
	for r.at.Line <= len(r.lines) {
		line := []rune(r.lines[r.at.Line-1])
		if r.at.Column > len(line) {
			r.at = Position{Line: r.at.Line + 1, Column: 1}
			continue
		}
		at = r.at
		found, length := r.char(line[r.at.Column-1:])
		r.at.Column += length
		if !unicode.IsSpace(found) {
			return at, found == char
		}
	}
	return at, false
}

// char is the first character of a source, and how long it is written. A line that is continued is a space.
func (r *reader) char(source []rune) (char rune, length int) {
	switch {
	case r.style&yaml.SingleQuotedStyle != 0 && len(source) > 1 && source[0] == '\'' && source[1] == '\'':
		return '\'', 2
	case r.style&yaml.DoubleQuotedStyle == 0 || source[0] != '\\':
		return source[0], 1
	case len(source) == 1:
		return ' ', 1
	}
	const spaces = "abefnrtv0 \tN_LP"
	switch digits := map[rune]int{'x': 2, 'u': 4, 'U': 8}[source[1]]; {
	case digits > 0 && len(source) >= 2+digits:
		code, err := strconv.ParseUint(string(source[2:2+digits]), 16, 32)
		if err != nil {
			return unicode.ReplacementChar, 2
		}
		return rune(code), 2 + digits
	case strings.ContainsRune(spaces, source[1]):
		return ' ', 2
	}
	return source[1], 2
}
