package source

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// PatchJSON is a patch in the form for the API server. A string is parsed as JSON or YAML.
func PatchJSON(patch *yaml.Node) ([]byte, error) {
	node, err := PatchBody(patch)
	if err != nil {
		return nil, err
	}
	return JSON(node)
}

// PatchBody is a patch as a mapping or list, out of its text if it is a string.
func PatchBody(patch *yaml.Node) (*yaml.Node, error) {
	if patch == nil {
		return nil, Problem("{spec: {...}}", "the patch is missing")
	}
	if patch.Kind != yaml.ScalarNode {
		return patch, nil
	}
	var document yaml.Node
	decoder := yaml.NewDecoder(strings.NewReader(patch.Value))
	if err := DecodeNode(decoder, &document); err != nil {
		e := SyntaxError(err, patch.Value)
		e.Message = "the patch is not valid YAML or JSON: " + e.Message
		return nil, e
	}
	if err := CheckAliases(&document); err != nil {
		return nil, err
	}
	if root := document.Content[0]; root.Kind == yaml.MappingNode || root.Kind == yaml.SequenceNode {
		return root, nil
	}
	return nil, Problem(`{spec: {...}}, or a string of JSON`,
		"a patch must be a mapping or a list, not %s", Described(patch))
}
