package manifest

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/kubestep/kubestep/scenarios/spelling"
)

var (
	// upstreamLine finds the place in upstream's YAML errors, which may name several:
	// "line 4: key "name" already set in map".
	upstreamLine = regexp.MustCompile(`line (\d+): ([^\n]+)`)
	// unknownField and wrongType find the field in upstream's strict and JSON errors.
	unknownField = regexp.MustCompile(`^unknown field "(.+)"$`)
	// unquoted finds 5, yes and n where YAML made a number or a boolean of a string.
	unquoted  = regexp.MustCompile(`cannot unmarshal (bool|number) into .* of type string`)
	wrongType = regexp.MustCompile(`Go struct field [A-Za-z0-9]+\.([A-Za-z0-9_.-]+) of type`)
)

// conversionErrors reports what upstream's YAML reader refuses, such as duplicate keys.
func (r *manifestReader) conversionErrors(doc *manifestDocument, err error) {
	matches := upstreamLine.FindAllStringSubmatch(err.Error(), -1)
	for _, match := range matches {
		line, _ := strconv.Atoi(match[1])
		try := "check the indentation, quotes and colons around this line"
		if strings.Contains(match[2], "already set") {
			try = "remove one of them"
		}
		r.fail(doc.offset+line, try, "%s", match[2])
	}
	if len(matches) == 0 {
		message := strings.TrimPrefix(err.Error(), "error converting YAML to JSON: ")
		message = strings.TrimPrefix(message, "yaml: ")
		r.failAt(doc, doc.root, "plain YAML with words as keys", "%s", message)
	}
}

// decodeErrors reports what upstream's strict decoder refuses. Each unknown field gets its own
// line.
func (r *manifestReader) decodeErrors(doc *manifestDocument, node *yaml.Node, prefix string,
	gvk schema.GroupVersionKind, err error) {
	strict, ok := runtime.AsStrictDecodingError(err)
	if !ok {
		at, try := node, "a value of the field's type; see kubectl explain "+strings.ToLower(gvk.Kind)
		if unquoted.MatchString(err.Error()) {
			try = "put the value into quotes"
		}
		if match := wrongType.FindStringSubmatch(err.Error()); match != nil {
			at, _ = fieldNode(node, match[1])
		}
		r.failAt(doc, at, try, "%s", strings.TrimPrefix(err.Error(), "json: "))
		return
	}
	for _, single := range strict.Errors() {
		at, try := node, "remove it"
		if match := unknownField.FindStringSubmatch(single.Error()); match != nil {
			at, _ = fieldNode(node, match[1])
			if near := nearestTypedField(gvk, match[1]); near != "" {
				try = near
			}
		}
		r.failAt(doc, at, try, "%s", strings.Replace(single.Error(), `"`, `"`+prefix, 1))
	}
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
		case node.Kind == yaml.SequenceNode && len(node.Content) == 1:
			node = node.Content[0] // upstream leaves the index out of type errors
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

// nearestTypedField suggests the field of an API type that was meant by the last name of a path:
// replicas for spec.replica of a Deployment.
func nearestTypedField(gvk schema.GroupVersionKind, path string) string {
	object, err := scheme.Scheme.New(gvk)
	if err != nil {
		return ""
	}
	t := reflect.TypeOf(object)
	names := strings.Split(listIndex.ReplaceAllString(path, ""), ".")
	for i, name := range names {
		for slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map}, t.Kind()) {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct {
			return ""
		}
		fields := jsonFields(t)
		if i == len(names)-1 {
			return spelling.Nearest(name, slices.Sorted(maps.Keys(fields)))
		}
		inner, ok := fields[name]
		if !ok {
			return ""
		}
		t = inner
	}
	return ""
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
