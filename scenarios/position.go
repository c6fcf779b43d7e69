package scenarios

import (
	"strings"
	"sync"

	"gopkg.in/yaml.v3"
)

// Position says where a field stands in the file: its value, or for a mapping or list below its
// name, the name. A path that is not in the file has the position of the nearest one above it that
// is. The zero Position means that the scenario was not read from a file.
func (s *Scenario) Position(path string) Position {
	for path != "" {
		if at, ok := s.positions[path]; ok {
			return at
		}
		path = parentPath(path)
	}
	return s.positions[""]
}

// Errorf returns an error about a field of the scenario, for problems that only the run can find,
// such as a target that does not exist.
func (s *Scenario) Errorf(path, try, format string, args ...any) *Error {
	return placed(problem(try, format, args...), s.File, path, s.Position(path))
}

// has tells whether the field is written in the file, whatever its value. It is how a default is
// told from an explicit zero.
func (s *Scenario) has(path string) bool {
	_, ok := s.positions[path]
	return ok
}

// parentPath cuts the last element: spec.steps[2].scale -> spec.steps[2] -> spec.steps -> spec. A
// key in brackets may hold dots: metadata.labels[app.kubernetes.io/name] -> metadata.labels.
func parentPath(path string) string {
	cut := strings.LastIndexByte(path, '.')
	if strings.HasSuffix(path, "]") {
		cut = strings.LastIndexByte(path, '[')
	}
	if cut < 0 {
		return ""
	}
	return path[:cut]
}

// joinPath adds a field name to a path, which is empty at the top of the file.
func joinPath(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// nodePosition is where a value starts. Collections that begin on a line below their name are
// better found by the name:
//
//	scale:                 <- an error about scale points here
//	  target: deployment   <- and not here
func nodePosition(key, node *yaml.Node) Position {
	if key != nil && key.Line != node.Line && node.Kind != yaml.ScalarNode {
		return Position{Line: key.Line, Column: key.Column}
	}
	return Position{Line: node.Line, Column: node.Column}
}

// sourceText is a string of the file.
type sourceText struct {
	node  *yaml.Node
	split sync.Once // runs of one scenario may share it
	lines []string  // of the value, split when they are first asked for
}

// textPosition finds a place inside a string of the file, such as line 3 of the manifests in a
// block after "apply: |". Line and column count from 1 within the string; column 0 means the first
// character of the line that is not a space. Strings whose lines are not the file's lines (folded,
// or quoted with escapes) have the position of their start.
func (s *Scenario) textPosition(path string, line, column int) Position {
	text, ok := s.texts[path]
	if !ok || line < 1 {
		return s.Position(path)
	}
	node := text.node
	if node.Style&yaml.LiteralStyle != 0 {
		return s.literalPosition(text, line, column)
	}
	start := Position{Line: node.Line, Column: node.Column}
	if node.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		start.Column++
	}
	if line == 1 && column > 0 && strings.HasPrefix(s.sourceFrom(start), node.Value) {
		return Position{Line: start.Line, Column: start.Column + column - 1}
	}
	return s.Position(path)
}

// literalPosition maps a line of a "|" block. The block starts on the line after the indicator,
// and its indentation is what the source line has more than the value's line.
func (s *Scenario) literalPosition(text *sourceText, line, column int) Position {
	node := text.node
	text.split.Do(func() { text.lines = strings.Split(node.Value, "\n") })
	at := Position{Line: node.Line + line}
	if line > len(text.lines) || at.Line > len(s.lines) {
		return Position{Line: node.Line, Column: node.Column}
	}
	source, value := strings.TrimSuffix(s.lines[at.Line-1], "\r"), text.lines[line-1]
	if !strings.HasSuffix(source, value) {
		return at
	}
	if column == 0 {
		column = 1 + len(value) - len(strings.TrimLeft(value, " "))
	}
	at.Column = len([]rune(source)) - len([]rune(value)) + column
	return at
}

// sourceFrom is the rest of a source line, from a position on.
func (s *Scenario) sourceFrom(at Position) string {
	if at.Line < 1 || at.Line > len(s.lines) {
		return ""
	}
	line := []rune(s.lines[at.Line-1])
	if at.Column < 1 || at.Column > len(line) {
		return ""
	}
	return string(line[at.Column-1:])
}
