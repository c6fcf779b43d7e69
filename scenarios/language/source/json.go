package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// jsonDepthMax bounds the nesting of a node, which may contain itself.
const jsonDepthMax = 32

// JSON writes a node as JSON and keeps the order of its fields.
func JSON(node *yaml.Node) ([]byte, error) {
	var out bytes.Buffer
	if err := writeJSON(&out, node, 0); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func writeJSON(out *bytes.Buffer, node *yaml.Node, depth int) error {
	if depth > jsonDepthMax {
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
		panic("source: " + err.Error())
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
