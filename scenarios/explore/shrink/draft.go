package shrink

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/explore/child"
)

// draft is a scenario on its way to become smaller: the tree of its file.
type draft struct {
	root *yaml.Node
	// seed is in it, too.
	seed int64
	// step is the index of the step that fails; -1 if it is not a step.
	step int
	// orders are the choices of its run; nil if nothing chooses an order.
	orders *child.Orders
}

// parse reads a scenario and writes the seed into it.
func parse(text []byte, seed int64) (*draft, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	d := &draft{root: &document, seed: seed, step: -1}
	spec := d.find("spec")
	if spec == nil || spec.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("the file contains no scenario")
	}
	setField(spec, "seed", strconv.FormatInt(seed, 10))
	if last, title := len(spec.Content), indexOf(spec, "title"); indexOf(spec, "seed") == last-1 && title >= 0 {
		added := slices.Clone(spec.Content[last-2:])
		spec.Content = slices.Insert(spec.Content[:last-2], title+1, added...)
	}
	return d, nil
}

// horizon is the field of a scenario that says when its run ends.
const horizon = "horizon"

// horizon is the horizon as it is written; empty if it is not.
func (d *draft) horizon() string {
	node := d.find("spec", horizon)
	if node == nil {
		return ""
	}
	return node.Value
}

// clone copies the tree, so that a candidate can be changed.
func (d *draft) clone() *draft {
	copies := map[*yaml.Node]*yaml.Node{}
	var copyOf func(node *yaml.Node) *yaml.Node
	copyOf = func(node *yaml.Node) *yaml.Node {
		if node == nil {
			return nil
		}
		if known := copies[node]; known != nil {
			return known
		}
		out := *node
		copies[node] = &out
		out.Alias = copyOf(node.Alias)
		out.Content = make([]*yaml.Node, len(node.Content))
		for i, child := range node.Content {
			out.Content[i] = copyOf(child)
		}
		return &out
	}
	return &draft{root: copyOf(d.root), seed: d.seed, step: d.step, orders: d.orders}
}

// reseed is the draft with another seed.
func (d *draft) reseed(seed int64) *draft {
	out := d.clone()
	out.seed = seed
	setField(out.find("spec"), "seed", strconv.FormatInt(seed, 10))
	return out
}

// text is the file.
func (d *draft) text() []byte {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := errors.Join(encoder.Encode(d.root), encoder.Close()); err != nil {
		panic("shrink: a tree that was read cannot be written: " + err.Error())
	}
	return out.Bytes()
}

// path leads from the top of the file to a node: the index in each node's Content.
type path []int

func (p path) child(i int) path { return append(slices.Clip(p), i) }

// at is the node at a path.
func (d *draft) at(p path) *yaml.Node {
	node := d.root.Content[0]
	for _, i := range p {
		node = node.Content[i]
	}
	return node
}

// pathOf finds a field by the names that lead to it.
func (d *draft) pathOf(names ...string) (path, bool) {
	var p path
	node := d.root.Content[0]
	for _, name := range names {
		i := indexOf(node, name)
		if i < 0 {
			return nil, false
		}
		p, node = p.child(i), node.Content[i]
	}
	return p, true
}

// find is the value of a field; nil if it is not there.
func (d *draft) find(names ...string) *yaml.Node {
	p, ok := d.pathOf(names...)
	if !ok {
		return nil
	}
	return d.at(p)
}

// indexOf is the place of a field's value in a mapping; -1 if it has none.
func indexOf(node *yaml.Node, name string) int {
	if node.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(node.Content); i += 2 {
			if node.Content[i].Value == name {
				return i + 1
			}
		}
	}
	return -1
}

// setField gives a field of a mapping a plain value, and adds it if it is not there.
func setField(node *yaml.Node, name, value string) {
	scalar := &yaml.Node{Kind: yaml.ScalarNode, Value: value}
	if i := indexOf(node, name); i >= 0 {
		scalar.LineComment = node.Content[i].LineComment
		node.Content[i] = scalar
		return
	}
	node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, scalar)
}

// childOf is the mapping that a field of a mapping has; it is added if it is not there.
func childOf(node *yaml.Node, name string) *yaml.Node {
	if i := indexOf(node, name); i >= 0 && node.Content[i].Kind == yaml.MappingNode {
		return node.Content[i]
	}
	setField(node, name, "")
	child := &yaml.Node{Kind: yaml.MappingNode}
	node.Content[indexOf(node, name)] = child
	return child
}

// removeField takes a field out of a mapping.
func removeField(node *yaml.Node, name string) {
	if i := indexOf(node, name); i >= 0 {
		node.Content = slices.Delete(node.Content, i-1, i+1)
	}
}

// without is the draft without some items of the list at a path.
func (d *draft) without(p path, from, to int) *draft {
	out := d.clone()
	list := out.at(p)
	list.Content = slices.Delete(list.Content, from, to)
	return out
}

// with is the draft with another text of the scalar at a path.
func (d *draft) with(p path, value string) *draft {
	out := d.clone()
	out.at(p).Value = value
	return out
}
