package scenarios

import (
	"fmt"
	"regexp"
	"sort"
	"strings"

	"gopkg.in/yaml.v3"
)

// decodeNode turns a panic of the YAML reader, which some malformed comments cause, into an error.
func decodeNode(decoder *yaml.Decoder, node *yaml.Node) (err error) {
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

// syntaxError takes the YAML reader's message, but not its line, which is that of the mapping or
// list around the mistake and may be a screen above it. Instead it looks for the shortest
// beginning of the source that ends in the same message. Its last line is where the mistake is, or
// where a quote or bracket was opened that is never closed.
func syntaxError(err error, source string) *Error {
	message := syntaxMessage(err)
	lines := strings.SplitAfter(source, "\n")
	line := 1 + sort.Search(len(lines)-1, func(i int) bool {
		return syntaxMessage(firstSyntaxError(strings.Join(lines[:i+1], ""))) == message
	})
	e := problem("check the indentation, quotes and colons around this line", "%s", message)
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

// firstSyntaxError reads all documents of a source.
func firstSyntaxError(source string) error {
	decoder := yaml.NewDecoder(strings.NewReader(source))
	for {
		var node yaml.Node
		if err := decodeNode(decoder, &node); err != nil {
			return err // io.EOF at the end of a source without mistakes
		}
	}
}

// syntaxMessage cuts "yaml: line 7: " in front.
func syntaxMessage(err error) string {
	return strings.TrimPrefix(err.Error(), yamlLine.FindString(err.Error()))
}
