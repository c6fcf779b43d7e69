package branch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace"
)

// Variation is a scenario with another number, from its start.
type Variation struct{ name, value string }

// The names of variations.
const (
	maxSurge       = "max-surge"
	maxUnavailable = "max-unavailable"
	replicas       = "replicas"
	ready          = "ready"
)

// Variations lists what can be typed to vary a scenario.
func Variations() []verb.Command {
	return []verb.Command{
		{Name: maxSurge, Args: "N", About: "the whole run with this maxSurge: 3 or 25%"},
		{Name: maxUnavailable, Args: "N", About: "the whole run with this maxUnavailable: 2 or 25%"},
		{Name: replicas, Args: "N", About: "the whole run with this number of replicas"},
		{Name: ready, Args: "DURATION", About: "the whole run with Pods that become ready after 10s, or 2s..8s"},
	}
}

var (
	number     = regexp.MustCompile(`^[0-9]{1,4}$`)
	percentage = regexp.MustCompile(`^[0-9]{1,3}%$`)
)

// ParseVariation reads a variation, "max-surge 0"; ok reports whether the line is one.
func ParseVariation(line string) (v Variation, ok bool, err error) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return Variation{}, false, nil
	}
	for _, c := range Variations() {
		if c.Name != words[0] {
			continue
		}
		if len(words) != 2 {
			return Variation{}, true, fmt.Errorf("%s needs %s", c.Name, c.Args)
		}
		v = Variation{c.Name, words[1]}
		return v, true, v.validate()
	}
	return Variation{}, false, nil
}

func (v Variation) validate() error {
	switch isNumber := number.MatchString(v.value); v.name {
	case ready:
		_, err := notation.ParseDelay(v.value)
		return err
	case replicas:
		if !isNumber {
			return fmt.Errorf("%q is not a number of replicas", v.value)
		}
	default:
		if !isNumber && !percentage.MatchString(v.value) {
			return fmt.Errorf("%q is not a number or a percentage: try 3 or 25%%", v.value)
		}
	}
	return nil
}

// String is like "maxSurge 0".
func (v Variation) String() string {
	switch v.name {
	case maxSurge:
		return "maxSurge " + v.value
	case maxUnavailable:
		return "maxUnavailable " + v.value
	case replicas:
		return v.value + " replicas"
	}
	return "Pods ready after " + v.value
}

// Varied are several variations of one scenario, each number at most once.
type Varied []Variation

// With adds a variation; it takes the place of one of the same number.
func (all Varied) With(v Variation) Varied {
	with := slices.DeleteFunc(slices.Clone(all), func(other Variation) bool { return other.name == v.name })
	return append(with, v)
}

// String is like "maxSurge 1, 5 replicas".
func (all Varied) String() string {
	var texts []string
	for _, v := range all {
		texts = append(texts, v.String())
	}
	return strings.Join(texts, ", ")
}

// Of returns a scenario with the number, which is about an object that a manifest of the scenario creates, or about all Pods. As in
// every branch, the questions are left out: they are about the scenario's own run.
func (v Variation) Of(s *format.Scenario, o trace.Object) (*format.Scenario, error) {
	varied, err := reread(s)
	if err != nil {
		return nil, err
	}
	if v.name == ready {
		err = v.slow(varied)
	} else {
		err = v.edit(varied, o)
	}
	if err != nil {
		return nil, err
	}
	varied.Spec.Steps = Untold(varied.Spec.Steps)
	return reread(varied)
}

// slow changes how long Pods take to become ready. Those that never do are what the scenario is about, and stay so.
func (v Variation) slow(s *format.Scenario) error {
	delay, err := notation.ParseDelay(v.value)
	if err != nil {
		return err
	}
	pods := &s.Spec.Cluster.Pods
	if len(*pods) == 0 {
		*pods = []format.PodLife{{Terminate: notation.Delay{Min: format.DefaultTerminate, Max: format.DefaultTerminate}}}
	}
	for i := range *pods {
		if !(*pods)[i].Ready.Never {
			(*pods)[i].Ready = delay
		}
	}
	return nil
}

// field is where a kind has the number.
func (v Variation) field(kind string) []string {
	strategy := "updateStrategy"
	if kind == "Deployment" {
		strategy = "strategy"
	}
	switch v.name {
	case maxSurge:
		return []string{"spec", strategy, "rollingUpdate", "maxSurge"}
	case maxUnavailable:
		return []string{"spec", strategy, "rollingUpdate", "maxUnavailable"}
	}
	return []string{"spec", "replicas"}
}

// edit changes the manifests that create or apply the object.
func (v Variation) edit(s *format.Scenario, o trace.Object) error {
	kind := kinds.BuiltIn().Named(o.Resource)
	found := false
	for i := range s.Spec.Steps {
		step, ok := s.Spec.Steps[i].Verb.(verb.Manifester)
		if !ok {
			continue
		}
		text := step.Manifests()
		edited, ok, err := editManifests(*text, kind.Kind, o.Name, v.field(kind.Kind), v.value)
		if err != nil {
			return err
		}
		*text, found = edited, found || ok
	}
	if !found {
		return fmt.Errorf("no step creates %s/%s with a manifest that could have %s", kind.Singular, o.Name, v.name)
	}
	return nil
}

// editManifests sets a field of an object in manifests; ok reports whether the object is among them.
func editManifests(text, kind, name string, field []string, value string) (edited string, ok bool, err error) {
	decoder := yaml.NewDecoder(strings.NewReader(text))
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	for {
		var document yaml.Node
		if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return "", false, err
		}
		root := document.Content[0]
		if scalar(root, "kind") == kind && scalar(child(root, "metadata", false), "name") == name {
			at := root
			for _, part := range field {
				at = child(at, part, true)
			}
			*at = yaml.Node{Kind: yaml.ScalarNode, Value: value}
			ok = true
		}
		if err := encoder.Encode(&document); err != nil {
			return "", false, err
		}
	}
	if !ok {
		return text, false, nil
	}
	return out.String(), true, encoder.Close()
}

// child is the value of a key of a mapping; with add it is added if there is none. nil stands for none.
func child(of *yaml.Node, key string, add bool) *yaml.Node {
	if of == nil || of.Kind != yaml.MappingNode && !add {
		return nil
	}
	if of.Kind != yaml.MappingNode {
		*of = yaml.Node{Kind: yaml.MappingNode}
	}
	value := source.Field(of, key)
	if value != nil || !add {
		return value
	}
	value = &yaml.Node{Kind: yaml.MappingNode}
	of.Content = append(of.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, value)
	return value
}

func scalar(of *yaml.Node, key string) string {
	if value := child(of, key, false); value != nil {
		return value.Value
	}
	return ""
}
