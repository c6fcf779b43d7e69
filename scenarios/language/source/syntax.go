package source

import (
	"bytes"
	"fmt"
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// DecodeNode turns a panic of the YAML reader, which some malformed comments cause, into an error.
func DecodeNode(decoder *yaml.Decoder, node *yaml.Node) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	return decoder.Decode(node)
}

var (
	yamlLine  = regexp.MustCompile(`^(?:yaml: )?(?:line \d+: )?`)
	tabIndent = regexp.MustCompile(`^ *\t\s*[^\s#]`)
)

// SyntaxError takes the YAML reader's message, but not its line, which is that of the mapping or
// list around the mistake and may be a screen above it. Instead it looks for the shortest
// beginning of the source that ends in the same message. Its last line is where the mistake is, or
// where a quote or bracket was opened that is never closed.
func SyntaxError(err error, source string) *Error {
	message := syntaxMessage(err)
	lines := strings.SplitAfter(source, "\n")
	line := reportedLine(err, len(lines))
	if len(source) <= searchedMax {
		line = 1 + sort.Search(len(lines)-1, func(i int) bool {
			return syntaxMessage(firstSyntaxError(strings.Join(lines[:i+1], ""))) == message
		})
	}
	e := Problem("check the indentation, quotes and colons around this line", "%s", message)
	e.Line = line
	if strings.HasPrefix(message, "unknown anchor") {
		e.Try = "define the anchor above the alias"
	}
	if text := lines[line-1]; tabIndent.MatchString(text) {
		e.Column = 1 + strings.IndexByte(text, '\t')
		e.Try = "indent with spaces instead of tabs"
	}
	return e
}

// searchedMax is the size of a source that is read a number of times, to find the exact line of a mistake.
const searchedMax = 1 << 20

// reportedLine is the line that the YAML reader reports, in a source of so many lines; the first one if it reports none.
func reportedLine(err error, lines int) int {
	line := 0
	_, _ = fmt.Sscanf(err.Error(), "yaml: line %d:", &line)
	return min(max(line, 1), lines)
}

// firstSyntaxError reads all documents of a source.
func firstSyntaxError(source string) error {
	decoder := yaml.NewDecoder(strings.NewReader(source))
	for {
		var node yaml.Node
		if err := DecodeNode(decoder, &node); err != nil {
			return err // io.EOF at the end of a source without mistakes
		}
	}
}

// syntaxMessage cuts "yaml: line 7: " in front.
func syntaxMessage(err error) string {
	return strings.TrimPrefix(err.Error(), yamlLine.FindString(err.Error()))
}

// TextOnly rejects what is not text in UTF-8.
func TextOnly(data []byte) *Error {
	if bytes.IndexByte(data, 0) >= 0 {
		return Problem("a text file in UTF-8", "is a binary file")
	}
	for line, text := range bytes.Split(data, []byte("\n")) {
		if !utf8.Valid(text) {
			e := Problem("save the file as UTF-8", "is not UTF-8 text")
			e.Line = line + 1
			return e
		}
	}
	return nil
}

// Described names the kind of a node in the words of someone who writes YAML.
func Described(node *yaml.Node) string {
	switch node.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	switch node.ShortTag() {
	case "!!int", "!!float":
		return "the number " + node.Value
	case "!!bool":
		return node.Value
	case "!!timestamp":
		return "the date " + node.Value
	case "!!null":
		return "an empty value"
	}
	if tag := node.ShortTag(); tag != "!!str" {
		return "a value with the tag " + tag
	}
	if len(node.Value) > 40 {
		return "a string"
	}
	return fmt.Sprintf("the string %q", node.Value)
}
