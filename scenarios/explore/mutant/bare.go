package mutant

import (
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
)

// Bare is the bare form of a scenario: it does the same at the same times, but has no checks. Steps that wait for something stay, and what
// else waits becomes such a step: an expectation with a deadline, and a question that is answered later.
func Bare(s *format.Scenario) ([]byte, error) {
	return format.Edit(s, func(spec *yaml.Node) error {
		drop(spec, "checks")
		steps := source.Field(spec, "steps")
		if steps == nil {
			return nil
		}
		for _, step := range steps.Content {
			for i := 0; i+1 < len(step.Content); i += 2 {
				bare(step.Content[i], step.Content[i+1])
			}
		}
		return nil
	})
}

// bare changes a field of a step that checks something.
func bare(key, value *yaml.Node) {
	condition, timeout := "", ""
	switch key.Value {
	case "note":
		drop(value, "that")
		return
	case "ask":
		condition, timeout = text(value, "for"), text(value, "timeout")
	case "expect":
		if timeout = text(value, "by"); timeout != "" {
			condition = text(value, "that")
		}
	default:
		return
	}
	if condition == "" {
		key.Value, *value = "note", *scalar("A check was here.")
		return
	}
	key.Value, *value = "wait", yaml.Node{Kind: yaml.MappingNode}
	format.SetField(value, "for", scalar(condition))
	if timeout != "" {
		format.SetField(value, "timeout", scalar(timeout))
	}
}

// text is the value of a field of a mapping; empty if there is none.
func text(mapping *yaml.Node, name string) string {
	if field := source.Field(mapping, name); field != nil {
		return field.Value
	}
	return ""
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
