package law

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
)

// Time is a time that a scenario has.
type Time struct {
	// Object has the time: deployment/web, in Namespace if it is not the default one. Path leads to the field.
	Object    string `json:"object"`
	Namespace string `json:"namespace,omitempty"`
	Path      string `json:"path"`
	// Value is how long the time is. Default means that the scenario does not say so.
	Value   time.Duration `json:"value"`
	Default bool          `json:"default,omitempty"`

	// Field is what the table says of it.
	Field *Field `json:"-"`
	// kind is that of the object.
	kind string
}

// Shortest is the shortest time that is changed: a shorter one cannot be told from latencies, and the API rounds to seconds. Longest is the
// longest one: runs last for twice the longest time of a scenario.
const (
	Shortest = 4 * time.Second
	Longest  = time.Hour
)

// String names the time: spec.minReadySeconds of deployment/web.
func (t *Time) String() string {
	object := t.Object
	if t.Namespace != "" {
		object = t.Namespace + "/" + object
	}
	return t.Path + " of " + object
}

// Find lists the times of a scenario, in the order of its text. Of objects in spec.cluster.objects, which have a past, it lists none.
func Find(s *format.Scenario) (times []*Time, err error) {
	known := map[string]bool{}
	add := func(t *Time) {
		if key := t.String(); !known[key] && t.Value >= Shortest && t.Value <= Longest {
			known[key] = true
			times = append(times, t)
		}
	}
	needed := map[need]bool{"": true, kubelet: s.Spec.Kubernetes.Kubelet == string(kubelet)}
	_, err = format.Edit(s, func(spec *yaml.Node) error {
		err := eachManifest(spec, func(object *yaml.Node) (bool, error) {
			needed[need(text(object, "kind"))] = true
			for _, t := range timesOf(object) {
				if !t.Default || needed[t.Field.needs] {
					add(t)
				}
			}
			return false, nil
		})
		for _, step := range steps(spec) {
			if node := source.Field(step, "node"); node != nil {
				needed[failingNode] = true
			}
		}
		config := source.Field(orEmpty(source.Field(spec, "kubernetes")), "config")
		for _, field := range Fields {
			if field.Kinds == nil || field.Kinds[0] != option {
				continue
			}
			for _, t := range timesAt(field, orEmpty(config), field.Path, "") {
				if t.Object, t.kind = Manager, option; !t.Default || needed[field.needs] {
					add(t)
				}
			}
		}
		return err
	})
	return times, err
}

// timesOf are the times of an object.
func timesOf(object *yaml.Node) (times []*Time) {
	kind := text(object, "kind")
	metadata := orEmpty(source.Field(object, "metadata"))
	for _, field := range Fields {
		path := field.in(kind)
		if path == "" {
			continue
		}
		for _, t := range timesAt(field, object, path, "") {
			t.kind, t.Object, t.Namespace = kind, strings.ToLower(kind)+"/"+text(metadata, "name"), text(metadata, "namespace")
			times = append(times, t)
		}
	}
	return times
}

// timesAt are those at a path below a node, to which at leads.
func timesAt(field *Field, node *yaml.Node, path, at string) (times []*Time) {
	name, rest, more := strings.Cut(path, ".")
	name, list := strings.CutSuffix(name, "[]")
	at = strings.TrimPrefix(at+"."+name, ".")
	value := source.Field(node, name)
	switch {
	case value == nil && field.Default > 0 && (!more || field.Kinds != nil):
		if more {
			at += "." + rest
		}
		return []*Time{{Path: at, Value: field.Default, Default: true, Field: field}}
	case value == nil:
		return nil
	case list:
		for i, element := range value.Content {
			times = append(times, timesAt(field, element, rest, at+"["+strconv.Itoa(i)+"]")...)
		}
		return times
	case more:
		return timesAt(field, value, rest, at)
	}
	if length, ok := parse(value.Value); ok {
		times = []*Time{{Path: at, Value: length, Field: field}}
	}
	return times
}

// parse reads a number of seconds, or a duration.
func parse(value string) (time.Duration, bool) {
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	length, err := time.ParseDuration(value)
	return length, err == nil
}

// steps are the steps of a spec.
func steps(spec *yaml.Node) []*yaml.Node {
	list := source.Field(spec, "steps")
	if list == nil {
		return nil
	}
	return list.Content
}

// eachManifest calls each with the objects that the steps of a spec apply or create. If it changes one, the text has the change.
func eachManifest(spec *yaml.Node, each func(object *yaml.Node) (changed bool, err error)) error {
	for _, step := range steps(spec) {
		for _, verb := range []string{"apply", "create"} {
			manifest := source.Field(step, verb)
			if manifest == nil || manifest.Kind != yaml.ScalarNode {
				continue
			}
			documents, err := documentsOf(manifest.Value)
			if err != nil {
				return err
			}
			any := false
			for _, document := range documents {
				for _, object := range objectsOf(document) {
					changed, err := each(object)
					if err != nil {
						return err
					}
					any = any || changed
				}
			}
			if any {
				if err := rewrite(manifest, documents); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// documentsOf are the documents of a manifest.
func documentsOf(manifest string) (documents []*yaml.Node, err error) {
	decoder := yaml.NewDecoder(strings.NewReader(manifest))
	for {
		var document yaml.Node
		switch err := source.DecodeNode(decoder, &document); {
		case errors.Is(err, io.EOF):
			return documents, nil
		case err != nil:
			return nil, fmt.Errorf("a manifest: %w", err)
		}
		documents = append(documents, &document)
	}
}

// objectsOf are the objects of a document: the elements of a List, or the document itself.
func objectsOf(document *yaml.Node) []*yaml.Node {
	if len(document.Content) == 0 || document.Content[0].Kind != yaml.MappingNode {
		return nil
	}
	object := document.Content[0]
	if items := source.Field(object, "items"); items != nil && strings.HasSuffix(text(object, "kind"), "List") {
		return items.Content
	}
	return []*yaml.Node{object}
}

// rewrite gives a manifest the text of documents.
func rewrite(manifest *yaml.Node, documents []*yaml.Node) error {
	var out bytes.Buffer
	for i, document := range documents {
		if i > 0 {
			out.WriteString("---\n")
		}
		data, err := format.EncodeYAML(document)
		if err != nil {
			return err
		}
		out.Write(data)
	}
	manifest.Value, manifest.Style = out.String(), yaml.LiteralStyle
	return nil
}

// text is a field of a mapping, empty if there is none.
func text(node *yaml.Node, name string) string {
	if value := source.Field(node, name); value != nil {
		return value.Value
	}
	return ""
}

// orEmpty is a mapping, or an empty one.
func orEmpty(node *yaml.Node) *yaml.Node {
	if node == nil {
		return &yaml.Node{Kind: yaml.MappingNode}
	}
	return node
}
