package space

import (
	"fmt"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// Drawn is what goes wrong in the run of one seed.
type Drawn struct{ Rules []format.FaultRule }

// Rest is how much longer a run with faults is than the scenario: a controller that retries for 164 s before it drops a
// key needs time, and an object is stuck only when nothing has happened for a minute.
const Rest = 10 * time.Minute

// Plan is a plan with the faults. Its run is longer.
func (d Drawn) Plan(plan *runner.Plan) *runner.Plan { return plan.With(d.Rules, Rest) }

// Lines describes the rules.
func (d Drawn) Lines() []string {
	var lines []string
	for _, rule := range d.Rules {
		lines = append(lines, rule.Name+": "+verb.DescribeFault(rule))
	}
	return lines
}

// Text is the file of a scenario with the faults in spec.faults. Comments stay where they are.
func (d Drawn) Text(scenario *format.Scenario) ([]byte, error) {
	return edited(scenario, func(spec *yaml.Node) error {
		horizon := notation.Duration{Duration: scenario.Spec.Horizon.Duration + Rest}
		set(spec, "horizon", &yaml.Node{Kind: yaml.ScalarNode, Value: horizon.String()})
		faults := field(spec, "faults")
		if faults == nil {
			faults = &yaml.Node{Kind: yaml.SequenceNode}
			set(spec, "faults", faults)
		}
		for _, rule := range d.Rules {
			var node yaml.Node
			if err := node.Encode(rule); err != nil {
				return err
			}
			node.Style = yaml.FlowStyle
			faults.Content = append(faults.Content, &node)
		}
		return nil
	})
}

// Quiet is the file of a scenario without its spec.faults.
func Quiet(scenario *format.Scenario) ([]byte, error) {
	return edited(scenario, func(spec *yaml.Node) error {
		if faults := field(spec, "faults"); faults != nil {
			*faults = yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
		}
		return nil
	})
}

// edited is the file of a scenario after an edit of its spec.
func edited(scenario *format.Scenario, edit func(spec *yaml.Node) error) ([]byte, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(scenario.Source(), &document); err != nil {
		return nil, err
	}
	spec := field(document.Content[0], "spec")
	if spec == nil {
		return nil, fmt.Errorf("the file contains no scenario")
	}
	if err := edit(spec); err != nil {
		return nil, err
	}
	return format.EncodeYAML(&document)
}

// field is the value of a field of a mapping; nil if it is not there.
func field(mapping *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			return mapping.Content[i+1]
		}
	}
	return nil
}

// set gives a field of a mapping a value.
func set(mapping *yaml.Node, name string, value *yaml.Node) {
	if known := field(mapping, name); known != nil {
		*known = *value
		return
	}
	mapping.Content = append(mapping.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, value)
}
