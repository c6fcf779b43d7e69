package manifest

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
	extensions "k8s.io/apiextensions-apiserver/pkg/apiserver"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// upstreamLine finds the place in upstream's YAML errors, which may name several.
var upstreamLine = regexp.MustCompile(`line (\d+): ([^\n]+)`)

// conversionErrors reports what upstream's YAML reader refuses.
func (r *manifestReader) conversionErrors(doc *manifestDocument, err error) {
	matches := upstreamLine.FindAllStringSubmatch(err.Error(), -1)
	for _, match := range matches {
		line, _ := strconv.Atoi(match[1])
		try := "check the indentation, quotes and colons around this line"
		if strings.Contains(match[2], "already set") {
			try = "remove one of them" // one of the two is merged
		}
		r.fail(doc.offset+line, try, "%s", match[2])
	}
	if len(matches) == 0 {
		message := strings.TrimPrefix(err.Error(), "error converting YAML to JSON: ")
		message = strings.TrimPrefix(message, "yaml: ")
		r.failAt(doc, doc.root, "plain YAML with words as keys", "%s", message)
	}
}

// decodeErrors reports all that makes upstream's strict decoder refuse an object. Other errors keep its message.
func (r *manifestReader) decodeErrors(doc *manifestDocument, node *yaml.Node, prefix string,
	gvk schema.GroupVersionKind, raw []byte, err error) {
	object, unknown := Scheme.New(gvk)
	if unknown != nil {
		object, unknown = extensions.Scheme.New(gvk)
	}
	if unknown == nil {
		kind := strings.ToLower(gvk.Kind)
		if found := structureMistakes(reflect.TypeOf(object), kind, node, prefix, raw); len(found) > 0 {
			r.mistakes(doc, found)
			return
		}
	}
	try := "a value of the field's type; see kubectl explain " + strings.ToLower(gvk.Kind)
	r.failAt(doc, node, try, "%s", strings.TrimPrefix(err.Error(), "json: "))
}

// structureMistakes compares an object with a Go type.
func structureMistakes(t reflect.Type, kind string, node *yaml.Node, prefix string, raw []byte) []mistake {
	s := structure{kind: kind, prefix: prefix}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) == nil {
		s.value(t, value, node, nil)
	}
	return s.mistakes
}

// typeMistakes looks at apiVersion and kind, without which nothing is known of the other fields.
func typeMistakes(node *yaml.Node, prefix string, raw []byte) []mistake {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return nil
	}
	maps.DeleteFunc(fields, func(name string, _ json.RawMessage) bool { return name != "apiVersion" && name != "kind" })
	head, err := json.Marshal(fields)
	if err != nil {
		return nil
	}
	return structureMistakes(reflect.TypeFor[metav1.TypeMeta](), "", node, prefix, head)
}

// fieldNode follows a path such as spec.containers[0].image from a mapping. It returns the key of
// the last field, or the item, or the nearest one above it that exists, and how much of the path
// is left.
func fieldNode(node *yaml.Node, path string) (*yaml.Node, string) {
	at := node
	for path != "" {
		for node.Kind == yaml.AliasNode {
			node = node.Alias
		}
		path = strings.TrimPrefix(path, ".")
		switch {
		case node.Kind == yaml.SequenceNode && strings.HasPrefix(path, "["):
			index, rest, _ := strings.Cut(path[1:], "]")
			i, err := strconv.Atoi(index)
			if err != nil || i < 0 || i >= len(node.Content) {
				return at, path
			}
			node, path = node.Content[i], rest
			at = node
		case node.Kind == yaml.MappingNode:
			key, value, rest := longestKey(node, path)
			if key == nil {
				return at, path
			}
			at, node, path = key, value, rest
		default:
			return at, path
		}
	}
	return at, ""
}

// longestKey finds the key of a mapping that the path begins with. Keys may hold dots, so the
// longest one wins.
func longestKey(node *yaml.Node, path string) (key, value *yaml.Node, rest string) {
	for i := 0; i+1 < len(node.Content); i += 2 {
		name := node.Content[i].Value
		tail, ok := strings.CutPrefix(path, name)
		if !ok || name == "" || tail != "" && tail[0] != '.' && tail[0] != '[' {
			continue
		}
		if key == nil || len(name) > len(key.Value) {
			key, value, rest = node.Content[i], node.Content[i+1], tail
		}
	}
	return key, value, rest
}

var listIndex = regexp.MustCompile(`\[\d+\]`)

// jsonFields lists the fields of an API type by their names in JSON, with those of inlined structs.
func jsonFields(t reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for i := range t.NumField() {
		sf := t.Field(i)
		name, _, _ := strings.Cut(sf.Tag.Get("json"), ",")
		switch {
		case name == "-":
		case name != "":
			fields[name] = sf.Type
		case sf.Anonymous && sf.Type.Kind() == reflect.Struct:
			maps.Copy(fields, jsonFields(sf.Type))
		}
	}
	return fields
}
