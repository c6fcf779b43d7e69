package source

import "gopkg.in/yaml.v3"

// Bounds of what the aliases of one YAML document expand to. Nested aliases turn a few lines into billions of values, and
// aliases of one long string turn a small file into gigabytes.
const (
	aliasedValuesMax = 10_000
	aliasedBytesMax  = 1 << 20
)

// aliasPathMax bounds the path of an alias in an error; a deeper one has the path of a field above it.
const aliasPathMax = 1000

// CheckAliases refuses a document with an alias that contains itself, and one whose aliases expand to too much. It
// expands nothing, so code that does comes after it. The error has the place of the alias and the path of its field.
func CheckAliases(root *yaml.Node) *Error {
	a := aliases{anchored: map[*yaml.Node]expansion{}}
	_, err := a.visit(aliasPlace{}, root)
	return err
}

// expansion is what a node expands to: the number of values, and the bytes of their texts.
type expansion struct{ values, bytes int }

// add counts up to the bounds, so that no sum overflows.
func (e expansion) add(other expansion) expansion {
	return expansion{min(e.values+other.values, aliasedValuesMax+1), min(e.bytes+other.bytes, aliasedBytesMax+1)}
}

// aliases adds up what the aliases of a document expand to.
type aliases struct {
	total expansion
	// anchored are the nodes with anchors that were visited to their end.
	anchored map[*yaml.Node]expansion
}

// aliasPlace is where a node is: in a field, or an item, of what is above it.
type aliasPlace struct {
	above *aliasPlace
	field string // empty for an item
	item  int
}

// path is the field path of the place.
func (p *aliasPlace) path() string {
	if p.above == nil {
		return ""
	}
	above := p.above.path()
	switch {
	case len(above) > aliasPathMax:
		return above
	case p.field == "":
		return Item(above, p.item)
	}
	return Join(above, p.field)
}

// visit goes through the nodes in the order of the document. An alias stands behind its anchor, so what it expands to is
// known by then, unless it is inside of what it stands for.
func (a *aliases) visit(at aliasPlace, node *yaml.Node) (expansion, *Error) {
	if node.Kind == yaml.AliasNode {
		return a.alias(at, node)
	}
	sum := expansion{values: 1, bytes: len(node.Value)}
	for i, child := range node.Content {
		place := aliasPlace{above: &at, item: i}
		switch node.Kind {
		case yaml.DocumentNode:
			place = at
		case yaml.MappingNode:
			place.field = node.Content[i-i%2].Value
		}
		inner, err := a.visit(place, child)
		if err != nil {
			return sum, err
		}
		sum = sum.add(inner)
	}
	if node.Anchor != "" {
		a.anchored[node] = sum
	}
	return sum, nil
}

// alias adds what one alias expands to.
func (a *aliases) alias(at aliasPlace, node *yaml.Node) (expansion, *Error) {
	expanded, ended := a.anchored[node.Alias]
	a.total = a.total.add(expanded)
	var err *Error
	switch {
	case !ended:
		err = Problem("write the values out", "the alias *%s contains itself", node.Value)
	case a.total.values > aliasedValuesMax:
		err = Problem("write the values out", "aliases expand to more than %d values", aliasedValuesMax)
	case a.total.bytes > aliasedBytesMax:
		err = Problem("fewer aliases, or a shorter text", "aliases expand to more than %d MiB", aliasedBytesMax>>20)
	default:
		return expanded, nil
	}
	err.Position, err.Path = Position{Line: node.Line, Column: node.Column}, at.path()
	return expanded, err
}
