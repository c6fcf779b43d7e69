package definition

import (
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/source"
)

// The text that a scenario gets for its files is written by an encoder, so its lines are not theirs. Its nodes are, in the same order:
// the place of a node of the text is that of the node with the same number in the files.

// places are those of the nodes of a document, from its top to its end.
func places(node *yaml.Node, path string) []source.Position {
	found := []source.Position{{Line: node.Line, Column: node.Column, In: path}}
	for _, child := range node.Content {
		found = append(found, places(child, path)...)
	}
	return found
}

// find finds the place in the files of a line and a column of the text. Column 0 means the first node of the line.
func (m *manifests) find(text string) func(line, column int) source.Position {
	nodes := sync.OnceValue(func() []source.Position {
		var found []source.Position
		decoder := yaml.NewDecoder(strings.NewReader(text))
		for {
			var document yaml.Node
			if source.DecodeNode(decoder, &document) != nil {
				return found
			}
			found = append(found, places(&document, "")...)
		}
	})
	files := m.places
	return func(line, column int) source.Position {
		found := nodes()
		if len(found) != len(files) {
			return source.Position{} // the caller has a place of its own
		}
		i, same := slices.BinarySearchFunc(found, source.Position{Line: line, Column: column}, compare)
		if first := i < len(found) && found[i].Line == line && column == 0; !same && !first {
			i-- // the node that begins before it
		}
		if i < 0 {
			return source.Position{}
		}
		return files[i]
	}
}

// compare orders places of one text.
func compare(a, b source.Position) int {
	if a.Line != b.Line {
		return a.Line - b.Line
	}
	return a.Column - b.Column
}
