package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/source"
)

// PatchJSON is a patch in the form for the API server. A string is parsed as JSON or YAML.
func PatchJSON(patch *yaml.Node) ([]byte, error) {
	node, err := patchBody(patch)
	if err != nil {
		return nil, err
	}
	return nodeJSON(node)
}

// patchBody is a patch as a mapping or list, out of its text if it is a string.
func patchBody(patch *yaml.Node) (*yaml.Node, error) {
	if patch == nil {
		return nil, source.Problem("{spec: {...}}", "the patch is missing")
	}
	if patch.Kind != yaml.ScalarNode {
		return patch, nil
	}
	var document yaml.Node
	decoder := yaml.NewDecoder(strings.NewReader(patch.Value))
	if err := source.DecodeNode(decoder, &document); err != nil {
		e := source.SyntaxError(err, patch.Value)
		e.Message = "the patch is not valid YAML or JSON: " + e.Message
		return nil, e
	}
	if root := document.Content[0]; root.Kind == yaml.MappingNode || root.Kind == yaml.SequenceNode {
		return root, nil
	}
	return nil, source.Problem(`{spec: {...}}, or a string of JSON`,
		"a patch must be a mapping or a list, not %s", source.Described(patch))
}

// ConfigJSON is the config as JSON, {} if there is none.
func (k *Kubernetes) ConfigJSON() ([]byte, error) {
	if k.Config == nil {
		return []byte("{}"), nil
	}
	return nodeJSON(k.Config)
}

// nodeJSON writes a node as JSON and keeps the order of its fields.
func nodeJSON(node *yaml.Node) ([]byte, error) {
	var out bytes.Buffer
	if err := writeJSON(&out, node, 0); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func writeJSON(out *bytes.Buffer, node *yaml.Node, depth int) error {
	if depth > depthMax {
		return errors.New("is nested too deeply")
	}
	switch node.Kind {
	case yaml.AliasNode:
		return writeJSON(out, node.Alias, depth+1)
	case yaml.MappingNode:
		out.WriteByte('{')
		for i := 0; i+1 < len(node.Content); i += 2 {
			if i > 0 {
				out.WriteByte(',')
			}
			writeValue(out, node.Content[i].Value)
			out.WriteByte(':')
			if err := writeJSON(out, node.Content[i+1], depth+1); err != nil {
				return err
			}
		}
		out.WriteByte('}')
	case yaml.SequenceNode:
		out.WriteByte('[')
		for i, item := range node.Content {
			if i > 0 {
				out.WriteByte(',')
			}
			if err := writeJSON(out, item, depth+1); err != nil {
				return err
			}
		}
		out.WriteByte(']')
	default:
		writeValue(out, scalarValue(node))
	}
	return nil
}

// writeValue writes what cannot fail: strings, finite numbers, booleans and nil.
func writeValue(out *bytes.Buffer, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		panic("format: " + err.Error())
	}
	out.Write(text)
}

// scalarValue keeps dates and everything else that JSON has no type for as the string it was.
func scalarValue(node *yaml.Node) any {
	switch node.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		return strings.EqualFold(node.Value, "true")
	case "!!int":
		if n, err := strconv.ParseInt(strings.ReplaceAll(node.Value, "_", ""), 0, 64); err == nil {
			return n
		}
	case "!!float":
		n, err := strconv.ParseFloat(strings.ReplaceAll(node.Value, "_", ""), 64)
		if err == nil && !math.IsInf(n, 0) && !math.IsNaN(n) {
			return n
		}
	}
	return node.Value
}
