package format

import (
	"bytes"
	"errors"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/source"
)

// Encode writes the scenario as a file that Load reads back to the same scenario. It includes defaults, so that a
// shrunk or recorded scenario does not depend on them.
func (s *Scenario) Encode() ([]byte, error) { return EncodeYAML(s) }

// MarshalYAML writes the verb between when and fails.
func (s Step) MarshalYAML() (any, error) {
	type plain Step
	var node yaml.Node
	if err := node.Encode(plain(s)); err != nil || s.Verb == nil {
		return &node, err
	}
	var name, value yaml.Node
	name.SetString(s.Verb.Keyword())
	if err := value.Encode(s.Verb); err != nil {
		return nil, err
	}
	node.Style = 0 // a mapping without fields is encoded as {}
	at := len(node.Content)
	if s.Fails != "" {
		at -= 2
	}
	node.Content = slices.Insert(node.Content, at, &name, &value)
	if s.Comment != "" {
		node.HeadComment = "# " + s.Comment
	}
	return &node, nil
}

// EncodeYAML is a value as a document of YAML, in the form of all files that kubestep writes.
func EncodeYAML(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	err := encoder.Close()
	return out.Bytes(), err
}

// Edit is the file of a scenario after an edit of its spec.
func Edit(s *Scenario, edit func(spec *yaml.Node) error) ([]byte, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(s.Source(), &document); err != nil {
		return nil, err
	}
	spec := source.Field(document.Content[0], "spec")
	if spec == nil {
		return nil, errors.New("the file contains no scenario")
	}
	if err := edit(spec); err != nil {
		return nil, err
	}
	return EncodeYAML(&document)
}

// SetField gives a field of a mapping a value.
func SetField(mapping *yaml.Node, name string, value *yaml.Node) {
	if known := source.Field(mapping, name); known != nil {
		*known = *value
		return
	}
	mapping.Content = append(mapping.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, value)
}

// ConfigJSON is the config as JSON, {} if there is none.
func (k *Kubernetes) ConfigJSON() ([]byte, error) {
	if k.Config == nil {
		return []byte("{}"), nil
	}
	return source.JSON(k.Config)
}

// SchedulerConfigJSON is the schedulerConfig as JSON, nil if there is none.
func (k *Kubernetes) SchedulerConfigJSON() ([]byte, error) {
	if k.SchedulerConfig == nil {
		return nil, nil
	}
	return source.JSON(k.SchedulerConfig)
}

// KubeletConfigJSON is the kubeletConfig as JSON, nil if there is none.
func (k *Kubernetes) KubeletConfigJSON() ([]byte, error) {
	if k.KubeletConfig == nil {
		return nil, nil
	}
	return source.JSON(k.KubeletConfig)
}
