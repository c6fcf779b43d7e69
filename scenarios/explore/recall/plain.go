package recall

import (
	"slices"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// Plain is the plain form of a scenario: what its users and nodes do, at the times at which they do it in the scenario, and nothing else.
// Faults, restarts of processes, checks, waits and notes are left out. What users do after an hour in which they do nothing is left out,
// too: a scenario shows then what ends the bug.
func Plain(s *format.Scenario) ([]byte, error) {
	times, err := timesOf(s)
	if err != nil {
		return nil, err
	}
	return format.Edit(s, func(spec *yaml.Node) error {
		for _, name := range []string{"title", "about", "faults", "checks", "invariants", "mayDiffer"} {
			drop(spec, name)
		}
		format.SetField(spec, "title", scalar("The plain form of "+s.Metadata.Name))
		steps := source.Field(spec, "steps")
		var kept []*yaml.Node
		var before time.Duration
		for i, node := range steps.Content {
			at, ran := times[i]
			if !ran || !remains(s.Spec.Steps[i]) {
				continue
			}
			if len(kept) > 0 && at-before >= idle {
				break
			}
			before = at
			drop(node, "after")
			// A comment may say what the bug is.
			node.HeadComment, node.LineComment, node.FootComment = "", "", ""
			format.SetField(node, "at", scalar(notation.Text(at)))
			kept = append(kept, node)
		}
		steps.Content = kept
		return nil
	})
}

// idle is how long users do nothing before the plain form ends.
const idle = time.Hour

// remains reports whether a step is part of the plain form.
func remains(s format.Step) bool {
	switch s.Verb.Role() {
	case format.Request, format.Change:
		return true
	case format.Fault:
		// Nodes and Pods fail, too, without any bug.
		return s.Verb.Keyword() == "node" || s.Verb.Keyword() == "pod"
	}
	return false
}

// timesOf are the times at which the steps of a scenario run, rounded up to milliseconds, so that what they follow has happened.
func timesOf(s *format.Scenario) (map[int]time.Duration, error) {
	plan, err := runner.Prepare(s)
	if err != nil {
		return nil, err
	}
	times := map[int]time.Duration{}
	note := func(record *trace.Record, _ []byte) {
		if record.Action != nil {
			times[record.Action.Step] = max(record.At+time.Millisecond-1, 0).Truncate(time.Millisecond)
		}
	}
	_, err = plan.Run(runner.RunOptions{Sinks: []trace.Sink{note}})
	return times, err
}

func scalar(text string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: text} }

// drop removes a field of a mapping.
func drop(mapping *yaml.Node, name string) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			mapping.Content = slices.Delete(mapping.Content, i, i+2)
			return
		}
	}
}
