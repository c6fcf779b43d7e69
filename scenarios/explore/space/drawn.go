package space

import (
	"time"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// Drawn is what goes wrong in the run of one seed.
type Drawn struct {
	Rules []format.FaultRule
	// AtPlaces means that the rules are those of places of a run (package place), which they must leave as it is until then.
	AtPlaces bool
}

// Rest is how much longer a run with faults is than the scenario: a controller that retries for 164 s before it drops a
// key needs time, and an object is stuck only when nothing has happened for a minute.
const Rest = 10 * time.Minute

// Plan is a plan with the faults. Its run is longer.
func (d Drawn) Plan(plan *runner.Plan) *runner.Plan {
	if d.AtPlaces {
		return plan.Apart(d.Rules, Rest)
	}
	return plan.With(d.Rules, Rest)
}

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
	return format.Edit(scenario, func(spec *yaml.Node) error {
		horizon := notation.Duration{Duration: scenario.Spec.Horizon.Duration + Rest}
		format.SetField(spec, "horizon", &yaml.Node{Kind: yaml.ScalarNode, Value: horizon.String()})
		faults := source.Field(spec, "faults")
		if faults == nil {
			faults = &yaml.Node{Kind: yaml.SequenceNode}
			format.SetField(spec, "faults", faults)
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
	return format.Edit(scenario, func(spec *yaml.Node) error {
		if faults := source.Field(spec, "faults"); faults != nil {
			*faults = yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
		}
		return nil
	})
}
