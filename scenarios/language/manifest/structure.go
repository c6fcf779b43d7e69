package manifest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubestep/kubestep/scenarios/language/spelling"
)

// mistake is something in a manifest that has no place in an object of its kind.
type mistake struct {
	// node is where it is: the value, or for a field that is unknown or duplicate its name.
	node         *yaml.Node
	message, try string
}

// structure compares a manifest with the Go type of its kind. The API server's decoder gives up at the first value of a
// wrong type, names Go's types and knows no lines; so when it refuses a manifest, structure looks for all that is wrong.
type structure struct {
	// kind is what kubectl explain calls the kind, if it knows it, and prefix the path of the object in its document: items[2].
	kind, prefix string
	mistakes     []mistake
}

func (s *structure) add(node *yaml.Node, try, format string, args ...any) {
	s.mistakes = append(s.mistakes, mistake{node, fmt.Sprintf(format, args...), try})
}

func (s *structure) wrong(node *yaml.Node, path *field.Path, try, format string, args ...any) {
	s.add(node, try, "%s%s: %s", s.prefix, path, fmt.Sprintf(format, args...))
}

// value compares a value, as JSON has it, with a type. node is where it is in the YAML.
func (s *structure) value(t reflect.Type, value any, node *yaml.Node, path *field.Path) {
	if value == nil {
		return // null is the zero value of every type
	}
	if t.Kind() == reflect.Pointer {
		s.value(t.Elem(), value, node, path)
		return
	}
	if special, ok := scalars[t]; ok {
		if !special.accepts(value) {
			s.wrong(node, path, special.try, "%s", special.must)
		}
		return
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return // holds whatever it likes
	}
	switch t.Kind() {
	case reflect.Struct:
		s.object(t, value, node, path)
	case reflect.Map:
		if fields, ok := value.(map[string]any); ok {
			for _, name := range slices.Sorted(maps.Keys(fields)) {
				s.value(t.Elem(), fields[name], s.below(node, name), path.Key(name))
			}
			return
		}
		s.wrong(node, path, "{name: value}", "must be an object, not %s", typeOf(value))
	case reflect.Slice:
		s.list(t, value, node, path)
	default:
		s.scalar(t, value, node, path)
	}
}

// object compares the fields of an object with those of a struct.
func (s *structure) object(t reflect.Type, value any, node *yaml.Node, path *field.Path) {
	fields, ok := value.(map[string]any)
	if !ok {
		try := "{name: value}"
		if s.kind != "" {
			try = "see kubectl explain " + s.kind + "." + listIndex.ReplaceAllString(path.String(), "")
		}
		s.wrong(node, path, try, "must be an object, not %s", typeOf(value))
		return
	}
	known := jsonFields(t)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if inner, ok := known[name]; ok {
			s.value(inner, fields[name], s.below(node, name), path.Child(name))
			continue
		}
		try := "remove it"
		if near := spelling.Nearest(name, slices.Sorted(maps.Keys(known))); near != "" {
			try = near
		}
		key, _ := fieldNode(node, name)
		s.add(key, try, "unknown field %q", s.prefix+path.Child(name).String())
	}
}

func (s *structure) list(t reflect.Type, value any, node *yaml.Node, path *field.Path) {
	if t.Elem().Kind() == reflect.Uint8 {
		text, ok := value.(string)
		if _, err := base64.StdEncoding.DecodeString(text); !ok || err != nil {
			s.wrong(node, path, base64.StdEncoding.EncodeToString([]byte(node.Value)), "must be a string in base64")
		}
		return
	}
	items, ok := value.([]any)
	if !ok {
		try := `write "- " before the first field`
		if node.Kind == yaml.ScalarNode {
			try = "[" + node.Value + "]"
		}
		s.wrong(node, path, try, "must be a list, not %s", typeOf(value))
		return
	}
	sequence := resolved(node)
	for i, item := range items {
		at := node
		if sequence.Kind == yaml.SequenceNode && i < len(sequence.Content) {
			at = sequence.Content[i]
		}
		s.value(t.Elem(), item, at, path.Index(i))
	}
}

// scalar compares strings, booleans and numbers.
func (s *structure) scalar(t reflect.Type, value any, node *yaml.Node, path *field.Path) {
	number, isNumber := value.(json.Number)
	text, isText := value.(string)
	switch t.Kind() {
	case reflect.String:
		if !isText {
			try := "a string"
			if at := resolved(node); at.Kind == yaml.ScalarNode {
				try = strconv.Quote(at.Value)
			}
			s.wrong(node, path, try, "must be a string, not %s", typeOf(value))
		}
	case reflect.Bool:
		if _, ok := value.(bool); !ok {
			try := "true or false"
			if parsed, err := strconv.ParseBool(text); err == nil {
				try = strconv.FormatBool(parsed)
			}
			s.wrong(node, path, try, "must be a boolean, not %s", typeOf(value))
		}
	case reflect.Int, reflect.Int32, reflect.Int64:
		switch _, err := strconv.ParseInt(string(number), 10, t.Bits()); {
		case !isNumber:
			try := "3"
			if _, err := strconv.ParseInt(text, 10, t.Bits()); err == nil {
				try = text
			}
			s.wrong(node, path, try, "must be an integer, not %s", typeOf(value))
		case err != nil && strings.ContainsAny(string(number), ".eE"):
			s.wrong(node, path, "3", "must be an integer, not %s", number)
		case err != nil:
			least, most := int64(-1)<<(t.Bits()-1), int64(uint64(1)<<(t.Bits()-1)-1)
			try := fmt.Sprintf("a number from %d to %d", least, most)
			s.wrong(node, path, try, "must be an integer of %d bits, not %s", t.Bits(), number)
		}
	case reflect.Float32, reflect.Float64:
		if !isNumber {
			s.wrong(node, path, "0.5", "must be a number, not %s", typeOf(value))
		}
	}
}

// below is the value of a field, or what stands for it: a merged field is nowhere.
func (s *structure) below(node *yaml.Node, name string) *yaml.Node {
	mapping := resolved(node)
	for i := len(mapping.Content) - 2; i >= 0 && mapping.Kind == yaml.MappingNode; i -= 2 {
		if mapping.Content[i].Value == name {
			return mapping.Content[i+1]
		}
	}
	return node
}

// resolved is the node that an alias stands for.
func resolved(node *yaml.Node) *yaml.Node {
	for node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	return node
}

// scalars are the types that read a string or a number in a way of their own.
var scalars = map[reflect.Type]struct {
	accepts   func(value any) bool
	must, try string
}{
	reflect.TypeFor[resource.Quantity]():  {reads[resource.Quantity], resource.ErrFormatWrong.Error(), "500m, 2 or 64Mi"},
	reflect.TypeFor[metav1.Time]():        {reads[metav1.Time], "must be a time", "2026-01-01T00:00:00Z"},
	reflect.TypeFor[metav1.MicroTime]():   {reads[metav1.MicroTime], "must be a time", "2026-01-01T00:00:00.000000Z"},
	reflect.TypeFor[metav1.Duration]():    {reads[metav1.Duration], "must be a duration", "10s"},
	reflect.TypeFor[intstr.IntOrString](): {reads[intstr.IntOrString], "must be an integer or a string", "25%"},
}

// reads reports whether a type reads the value from JSON.
func reads[T any](value any) bool {
	data, err := json.Marshal(value)
	return err == nil && json.Unmarshal(data, new(T)) == nil
}

// typeOf names the type of a value as OpenAPI does.
func typeOf(value any) string {
	switch v := value.(type) {
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case json.Number:
		if strings.ContainsAny(string(v), ".eE") {
			return "a number"
		}
		return "an integer"
	case []any:
		return "a list"
	}
	return "an object"
}

// duplicates finds duplicate fields, in a document.
func (s *structure) duplicates(node *yaml.Node, path *field.Path) {
	switch node.Kind {
	case yaml.SequenceNode:
		for i, item := range node.Content {
			s.duplicates(item, path.Index(i))
		}
	case yaml.MappingNode:
		seen := map[string]bool{}
		for i := 0; i+1 < len(node.Content); i += 2 {
			key := node.Content[i]
			if seen[key.Value] {
				s.add(key, "remove one of them", "duplicate field %q", path.Child(key.Value))
			}
			seen[key.Value] = true
			s.duplicates(node.Content[i+1], path.Child(key.Value))
		}
	}
}
