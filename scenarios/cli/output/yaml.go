package output

import (
	"bytes"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/sim/trace/visible"
)

// VisibleYAML writes the hidden characters (sim/trace/visible) inside of a YAML document as escape sequences of YAML, and so
// it means the same.
// A document without hidden characters is returned as it is.
func VisibleYAML(document []byte) ([]byte, error) {
	if visible.Text(string(document)) == string(document) {
		return document, nil
	}
	var root yaml.Node
	if err := yaml.Unmarshal(document, &root); err != nil {
		return nil, err
	}
	quote(&root)
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(&root); err != nil {
		return nil, err
	}
	err := encoder.Close()
	return []byte(visible.Text(out.String())), err
}

// quote puts all scalars with hidden characters into double quotes, in which escape sequences are read.
func quote(node *yaml.Node) {
	if node.Kind == yaml.ScalarNode && strings.ContainsFunc(node.Value, func(r rune) bool { return r != '\n' && visible.IsHidden(r) }) {
		node.Style = yaml.DoubleQuotedStyle
	}
	for _, child := range node.Content {
		quote(child)
	}
}
