package source

import (
	"fmt"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"
)

// Position is a place in a file; lines and columns count from 1.
type Position struct {
	Line, Column int
	// In is the path of the file, if it is not the scenario's own but one that the scenario names.
	In string
}

// File is what a scenario was read from: its text, and where in it each field stands. A nil File is that of a
// scenario that was built in Go; errors about it have no place.
type File struct {
	path string
	// positions maps a field path such as spec.steps[2].scale.target to its place.
	positions map[string]Position
	// texts holds every string by its field path, and lines the source: together they turn a line of
	// a manifest into a line of the file.
	texts map[string]*text
	lines []string
	// elsewhere finds places in texts that come from other files, by the field path.
	elsewhere map[string]func(line, column int) Position
}

// NewFile is a file of which no field is known yet.
func NewFile(path string, data []byte) *File {
	return &File{
		path: path, positions: map[string]Position{}, texts: map[string]*text{}, lines: strings.Split(string(data), "\n"),
		elsewhere: map[string]func(line, column int) Position{},
	}
}

// Path is the path as the user wrote it; "" for a nil File.
func (f *File) Path() string {
	if f == nil {
		return ""
	}
	return f.path
}

// Put notes where a field is.
func (f *File) Put(path string, at Position) { f.positions[path] = at }

// PutText notes the node of a field that holds a string, so that TextPosition can find places inside it.
func (f *File) PutText(path string, node *yaml.Node) { f.texts[path] = &text{node: node} }

// PutElsewhere notes that the text of a field comes from other files, and who knows where a line and a column of it are there.
// The zero Position means that it is unknown.
func (f *File) PutElsewhere(path string, find func(line, column int) Position) {
	f.elsewhere[path] = find
}

// Source is the text of the file, as its author wrote it.
func (f *File) Source() []byte { return []byte(strings.Join(f.lines, "\n")) }

// Position says where a field is in the file: its value, or for a mapping or list below its
// name, the name. A path that is not in the file has the position of the nearest one above it that
// is. The zero Position means that the scenario was not read from a file.
func (f *File) Position(path string) Position {
	if f == nil {
		return Position{}
	}
	for path != "" {
		if at, ok := f.positions[path]; ok {
			return at
		}
		path = Parent(path)
	}
	return f.positions[""]
}

// Errorf returns an error about a field of the scenario, for problems that only the run can find,
// such as a target that does not exist.
func (f *File) Errorf(path, try, format string, args ...any) *Error {
	return f.Place(Problem(try, format, args...), path, f.Position(path))
}

// Place returns the error as one about a field, at a place. Message and Try of an *Error are kept.
func (f *File) Place(err error, path string, at Position) *Error {
	placed := &Error{File: f.Path(), Path: path, Message: err.Error()}
	if e, ok := err.(*Error); ok {
		placed.Message, placed.Try = e.Message, e.Try
	}
	placed.Move(at)
	return placed
}

// Has reports whether the field is written in the file, whatever its value. It distinguishes a default
// from an explicit zero.
func (f *File) Has(path string) bool {
	if f == nil {
		return false
	}
	_, ok := f.positions[path]
	return ok
}

// Parent cuts the last element: spec.steps[2].scale -> spec.steps[2] -> spec.steps -> spec. A
// key in brackets may hold dots: metadata.labels[app.kubernetes.io/name] -> metadata.labels.
func Parent(path string) string {
	cut := strings.LastIndexByte(path, '.')
	if strings.HasSuffix(path, "]") {
		cut = strings.LastIndexByte(path, '[')
	}
	if cut < 0 {
		return ""
	}
	return path[:cut]
}

// Join adds a field name to a path, which is empty at the top of the file.
func Join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// Item is the field path of an item: Item("spec.checks", 1) is spec.checks[1].
func Item(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// PositionOf is where a value starts. Collections that begin on a line below their name are
// better found by the name:
//
//	scale:                 <- an error about scale points here
//	  target: deployment   <- and not here
func PositionOf(key, node *yaml.Node) Position {
	if key != nil && key.Line != node.Line && node.Kind != yaml.ScalarNode {
		return Position{Line: key.Line, Column: key.Column}
	}
	return Position{Line: node.Line, Column: node.Column}
}

// Field is the value of a field of a mapping; nil if it is not there, or for a node that is nil or no mapping.
func Field(mapping *yaml.Node, name string) *yaml.Node {
	if mapping == nil || mapping.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			return mapping.Content[i+1]
		}
	}
	return nil
}

// text is a string of the file.
type text struct {
	node  *yaml.Node
	split sync.Once // runs of one scenario may share it
	lines []string  // of the value, split when they are first asked for
}

// TextPosition finds a place inside a string of the file, such as line 3 of the manifests in a
// block after "apply: |". Line and column count from 1 within the string; column 0 means the first
// character of the line that is not a space, or where the lines are not those of the file, the start of the string.
func (f *File) TextPosition(path string, line, column int) Position {
	if f == nil {
		return Position{}
	}
	if find := f.elsewhere[path]; find != nil {
		if at := find(line, column); at.Line > 0 {
			return at
		}
	}
	text, ok := f.texts[path]
	if !ok || line < 1 {
		return f.Position(path)
	}
	if text.node.Style&yaml.LiteralStyle != 0 {
		return f.literalPosition(text, line, column)
	}
	if at, ok := f.align(text.node, line, column); ok && column > 0 {
		return at
	}
	return f.Position(path)
}

// literalPosition maps a line of a "|" block. The block starts on the line after the indicator,
// and its indentation is what the source line has more than the value's line.
func (f *File) literalPosition(text *text, line, column int) Position {
	node := text.node
	text.split.Do(func() { text.lines = strings.Split(node.Value, "\n") })
	at := Position{Line: node.Line + line}
	if line > len(text.lines) || at.Line > len(f.lines) {
		return Position{Line: node.Line, Column: node.Column}
	}
	source, value := strings.TrimSuffix(f.lines[at.Line-1], "\r"), text.lines[line-1]
	if !strings.HasSuffix(source, value) {
		return at
	}
	if column == 0 {
		column = 1 + len(value) - len(strings.TrimLeft(value, " "))
	}
	at.Column = len([]rune(source)) - len([]rune(value)) + column
	return at
}
