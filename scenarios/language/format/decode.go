package format

import (
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/sim/kinds"
)

const (
	// depthMax bounds the nesting of the free-form fields, patch and config.
	depthMax = 32
	// keyLengthMax is a little more than the longest label key, a DNS name of 253 and a name of 63.
	keyLengthMax = 320
	// pathLengthMax bounds the field paths whose places are noted; deeper ones have their parent's.
	pathLengthMax = 1000
)

// decoder fills a Scenario from YAML nodes. It continues after an error, so that one run of the loader reports all of
// them, and notes where each field is.
type decoder struct {
	scenario *Scenario
	verbs    Verbs
	errs     source.ErrorList
	foreign  bool // the file is not a scenario
}

// document decodes the whole file, unless it is something else, such as a Deployment: then that is
// the one error, and not all the fields that a scenario does not have.
func (d *decoder) document(root *yaml.Node) {
	top := field{typ: reflect.TypeFor[Scenario]()}
	d.head(root, "kind", Kind)
	if len(d.errs) == 0 {
		d.head(root, "apiVersion", APIVersion)
	}
	if d.foreign = len(d.errs) > 0; d.foreign {
		return
	}
	d.value("", nil, root, top, reflect.ValueOf(d.scenario).Elem())
}

// head checks one of the two fields that say what the file is. Absent and empty ones are reported
// later.
func (d *decoder) head(root *yaml.Node, name, want string) {
	for i := 0; root.Kind == yaml.MappingNode && i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], resolved(root.Content[i+1])
		if key.Value != name || value.Value == want || value.Value == "" || value.ShortTag() == "!!null" {
			continue
		}
		try := name + ": " + want
		if name == "kind" && kinds.BuiltIn().Named(value.Value) != nil {
			try = `put the manifest into a scenario, below "apply: |"`
		}
		d.fail(name, root.Content[i+1], try, "unknown %s %q", name, value.Value)
	}
}

// fail reports an error about a field at a node.
func (d *decoder) fail(path string, node *yaml.Node, try, format string, args ...any) {
	at := source.Position{Line: node.Line, Column: node.Column}
	d.report(d.scenario.Place(source.Problem(try, format, args...), path, at))
}

func (d *decoder) report(e *source.Error) {
	if !d.errs.IsFull() {
		d.errs = append(d.errs, e)
	}
}

// value decodes one node into v, which has the type that f says. key is the name in front of the
// value, nil for list items.
func (d *decoder) value(path string, key, node *yaml.Node, f field, v reflect.Value) {
	if d.errs.IsFull() {
		return
	}
	d.scenario.Put(path, source.PositionOf(key, node))
	node = resolved(node)
	if node.ShortTag() == "!!null" && node.Kind == yaml.ScalarNode {
		d.fail(path, node, emptyTry(path), "is empty")
		return
	}
	if v.Type() == reflect.TypeFor[*yaml.Node]() {
		d.freeForm(path, node, f, v)
		return
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch {
	case isScalar(v.Type()):
		d.scalar(path, node, f, v)
	case v.Kind() == reflect.Struct:
		d.structure(path, node, v)
	case v.Kind() == reflect.Slice:
		d.list(path, node, f, v)
	case v.Kind() == reflect.Map:
		d.stringMap(path, node, v)
	default:
		panic("format: no way to decode a field of type " + v.Type().String())
	}
}

func emptyTry(path string) string {
	if path == "" {
		return scenarioStub
	}
	return "write a value, or remove the line"
}

// resolved is the node that an alias stands for. Aliases that are too large, and those that contain themselves, were
// refused before (source.CheckAliases).
func resolved(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode {
		return node.Alias
	}
	return node
}

// structure decodes a mapping with a fixed set of fields.
func (d *decoder) structure(path string, node *yaml.Node, v reflect.Value) {
	t := v.Type()
	short, hasShort := shortField(t)
	if hasShort && node.Kind == yaml.ScalarNode {
		d.value(source.Join(path, short.name), nil, node, short, v.Field(short.index))
		return
	}
	if node.Kind != yaml.MappingNode {
		if hasShort {
			d.fail(path, node, short.example, "must be a string or a mapping, not %s", source.Described(node))
			return
		}
		d.fail(path, node, d.structureTry(t, node), "must be a mapping, not %s", source.Described(node))
		return
	}
	seen, fields := map[string]bool{}, d.verbs.fieldsOf(t)
	for _, entry := range d.entries(path, node) {
		seen[entry.name] = true
		f, ok := named(fields, entry.name)
		switch {
		case !ok:
			d.unknownField(path, node, entry, t)
		case f.verb:
			d.verb(path, entry, f, v.Addr().Interface().(*Step))
		default:
			d.value(source.Join(path, f.name), entry.key, entry.value, f, v.Field(f.index))
		}
	}
	for _, f := range fields {
		if f.required && !seen[f.name] && !hasMergeKey(node) {
			name := source.Join(path, f.name)
			d.report(d.scenario.Errorf(name, f.name+": "+f.example, "is required"))
		}
	}
}

// verb decodes what stands behind a verb into a new value. A step with several verbs keeps the first; that it has more
// is reported later.
func (d *decoder) verb(path string, entry mapEntry, f field, step *Step) {
	value := reflect.New(f.typ).Elem()
	d.value(source.Join(path, f.name), entry.key, entry.value, f, value)
	if !value.IsNil() && step.Verb == nil {
		step.Verb = value.Interface().(Verb)
	}
}

// structureTry guesses the mapping that was meant by a scalar: "wait: rollout deployment/web" is
// {for: rollout deployment/web}, and "rollout: undo deployment/web" is {undo: deployment/web}.
func (d *decoder) structureTry(t reflect.Type, node *yaml.Node) string {
	var sample []string
	for _, f := range fieldsOf(t) {
		if f.required {
			sample = append(sample, f.name+": "+f.example)
		}
	}
	if node.Kind == yaml.ScalarNode && !strings.Contains(node.Value, "\n") {
		word, rest, _ := strings.Cut(node.Value, " ")
		if f, ok := d.verbs.fieldNamed(t, word); ok && rest != "" && valueType(f.typ).Kind() == reflect.String {
			return "{" + word + ": " + rest + "}"
		}
		if f, ok := onlyRequired(t); ok && f.typ.Kind() == reflect.String {
			return "{" + f.name + ": " + node.Value + "}"
		}
	}
	switch {
	case t == reflect.TypeFor[Step]():
		return "a verb and what it needs, such as scale: {target: deployment/web, replicas: 3}"
	case len(sample) > 0:
		return "{" + strings.Join(sample, ", ") + "}"
	}
	return "a mapping with any of " + strings.Join(fieldNames(t), ", ")
}

// onlyRequired is the required field of a struct that has just one.
func onlyRequired(t reflect.Type) (field, bool) {
	var found []field
	for _, f := range fieldsOf(t) {
		if f.required {
			found = append(found, f)
		}
	}
	if len(found) != 1 {
		return field{}, false
	}
	return found[0], true
}

// unknownField reports a name that the struct does not have. In a step without a known verb it was
// probably meant to be the verb.
func (d *decoder) unknownField(path string, node *yaml.Node, entry mapEntry, t reflect.Type) {
	what, try := "field", d.verbs.fieldSuggestion(t, entry.name)
	if t == reflect.TypeFor[Step]() && !d.hasVerb(node) {
		what = "verb"
	}
	if owner := d.emptySibling(t, node, entry.name); owner != "" {
		try = "indent " + entry.name + " further than " + owner
	}
	d.fail(path, entry.key, try, "unknown %s %q", what, entry.name)
}

func (d *decoder) hasVerb(step *yaml.Node) bool {
	for i := 0; i+1 < len(step.Content); i += 2 {
		if slices.Contains(d.verbs.Names(), step.Content[i].Value) {
			return true
		}
	}
	return false
}

// emptySibling finds the field that a name on the wrong indentation belongs to:
//
//   - scale:
//     target: deployment/web
//
// where target was meant to be inside scale, but stands beside it.
func (d *decoder) emptySibling(t reflect.Type, node *yaml.Node, name string) string {
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		f, ok := d.verbs.fieldNamed(t, key.Value)
		if !ok || value.ShortTag() != "!!null" {
			continue
		}
		inner := valueType(f.typ)
		if inner.Kind() != reflect.Struct || isScalar(inner) || inner == reflect.TypeFor[yaml.Node]() {
			continue
		}
		if _, ok := fieldNamed(inner, name); ok {
			return key.Value
		}
	}
	return ""
}

// list decodes a sequence. An empty one stays different from an absent one: [] is not nil.
func (d *decoder) list(path string, node *yaml.Node, f field, v reflect.Value) {
	if node.Kind != yaml.SequenceNode {
		try := `start each item with "- "`
		if node.Kind == yaml.ScalarNode && isScalar(v.Type().Elem()) {
			try = "[" + node.Value + "]"
		}
		d.fail(path, node, try, "must be a list, not %s", source.Described(node))
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(node.Content), len(node.Content)))
	item := f
	item.typ = v.Type().Elem()
	for i, child := range node.Content {
		d.value(source.Item(path, i), nil, child, item, v.Index(i))
	}
}

// stringMap decodes labels, feature gates and the like. In maps of pointers a null is a value: it
// removes the key.
func (d *decoder) stringMap(path string, node *yaml.Node, v reflect.Value) {
	if node.Kind != yaml.MappingNode {
		d.fail(path, node, "{KEY: VALUE}", "must be a mapping, not %s", source.Described(node))
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	element := v.Type().Elem()
	for _, entry := range d.entries(path, node) {
		child := reflect.New(element).Elem()
		at := path + "[" + entry.name + "]"
		if element.Kind() == reflect.Pointer && entry.value.ShortTag() == "!!null" {
			d.scenario.Put(at, source.PositionOf(entry.key, entry.value))
		} else {
			d.value(at, entry.key, entry.value, field{typ: element, name: mapValue}, child)
		}
		v.SetMapIndex(reflect.ValueOf(entry.name), child)
	}
}

// mapValue is the name of the fields that stringMap makes up; their strings may be empty.
const mapValue = "*"
