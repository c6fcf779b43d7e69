package format

import (
	"fmt"
	"reflect"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/source"
)

// mapEntry is one "name: value" of a mapping.
type mapEntry struct {
	name       string
	key, value *yaml.Node
}

// entries lists a mapping without the entries whose keys cannot be used: duplicates, merge keys and
// keys that are not plain words.
func (d *decoder) entries(path string, node *yaml.Node) []mapEntry {
	first := map[string]*yaml.Node{}
	entries := make([]mapEntry, 0, len(node.Content)/2)
	var repeated []*yaml.Node
	other := 0
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if key.Kind == yaml.AliasNode {
			key = &yaml.Node{Kind: key.Alias.Kind, Tag: key.Alias.Tag, Value: key.Alias.Value,
				Line: key.Line, Column: key.Column}
		}
		switch before, twice := first[key.Value]; {
		case key.Kind != yaml.ScalarNode:
			d.fail(path, key, "NAME: VALUE", "a key must be a word, not %s", source.Described(key))
		case len(key.Value) > keyLengthMax:
			d.fail(path, key, "a shorter name", "a key must not be longer than %d bytes", keyLengthMax)
		case key.ShortTag() == "!!merge":
			d.fail(path, key, "write the fields out, or use an alias for a whole value",
				"merge keys (<<) are not supported")
		case twice:
			repeated = append(repeated, key)
			if len(repeated) == 1 {
				other = before.Line
			}
		default:
			first[key.Value] = key
			entries = append(entries, mapEntry{name: key.Value, key: key, value: value})
		}
	}
	switch len(repeated) {
	case 0:
	case 1:
		d.fail(path, repeated[0], fmt.Sprintf("remove one of them; the other is on line %d", other), "duplicate key %q", repeated[0].Value)
	default:
		// A list item without its dash repeats the keys of the item before it.
		d.fail(path, repeated[0], fmt.Sprintf(`start each list item with "- "; the other is on line %d`, other),
			"duplicate key %q, and %d more in this mapping", repeated[0].Value, len(repeated)-1)
	}
	return entries
}

// hasMergeKey reports whether a mapping has one: then it is that one's fault if fields are missing.
func hasMergeKey(node *yaml.Node) bool {
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].ShortTag() == "!!merge" {
			return true
		}
	}
	return false
}

// freeForm keeps a value whose fields the format does not know, such as a patch. Keys are checked,
// aliases are replaced by what they stand for, and every place is noted for later errors.
func (d *decoder) freeForm(path string, node *yaml.Node, f field, v reflect.Value) {
	if f.isObject && node.Kind != yaml.MappingNode {
		d.fail(path, node, f.example, "must be a mapping, not %s", source.Described(node))
		return
	}
	if plain := d.expand(path, node, 0); plain != nil {
		v.Set(reflect.ValueOf(plain))
	}
	if node.Kind == yaml.ScalarNode && node.ShortTag() == "!!str" {
		d.scenario.PutText(path, node)
	}
}

func (d *decoder) expand(path string, node *yaml.Node, depth int) *yaml.Node {
	if depth > depthMax {
		d.fail(path, node, "fewer levels", "is nested more than %d levels deep", depthMax)
		return nil
	}
	out := &yaml.Node{Kind: node.Kind, Style: node.Style, Tag: node.Tag, Value: node.Value,
		Line: node.Line, Column: node.Column}
	switch node.Kind {
	case yaml.MappingNode:
		for _, entry := range d.entries(path, node) {
			name := source.Join(path, entry.name)
			if child := d.expandChild(name, entry.key, entry.value, depth); child != nil {
				key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: entry.name,
					Line: entry.key.Line, Column: entry.key.Column}
				out.Content = append(out.Content, key, child)
			}
		}
	case yaml.SequenceNode:
		for i, item := range node.Content {
			if child := d.expandChild(source.Item(path, i), nil, item, depth); child != nil {
				out.Content = append(out.Content, child)
			}
		}
	}
	return out
}

func (d *decoder) expandChild(path string, key, node *yaml.Node, depth int) *yaml.Node {
	if len(path) <= pathLengthMax {
		d.scenario.Put(path, source.PositionOf(key, node))
	}
	return d.expand(path, resolved(node), depth+1)
}

// isScalar tells the types that are written as one word or string.
func isScalar(t reflect.Type) bool {
	_, special := scalarParsers[t]
	if special {
		return true
	}
	switch t.Kind() {
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int32, reflect.Int64, reflect.Float64:
		return true
	}
	return false
}
