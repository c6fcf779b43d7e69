package branch

import (
	"fmt"
	"strings"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/verb"
)

// stepCommand is a step as it is written in a scenario.
var stepCommand = verb.Command{Name: "step", Args: "{VERB: ...}", About: "any step of a scenario, as YAML"}

// Commands lists what can be typed: the commands of the verbs, and step, which writes any verb as YAML.
func Commands() []verb.Command { return append(verb.Commands(), stepCommand) }

// Parse reads a command: "scale deployment/web 5".
func Parse(line string) (format.Step, error) {
	name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	if name == stepCommand.Name {
		return parseStep(rest)
	}
	if strings.HasPrefix(name, "{") || strings.HasSuffix(name, ":") {
		return parseStep(line)
	}
	var names []string
	for _, c := range Commands() {
		if c.Name == name {
			does, err := c.Verb(strings.Fields(rest))
			if err != nil {
				return format.Step{}, err
			}
			step := format.Step{Verb: does}
			return step, check(step)
		}
		names = append(names, c.Name)
	}
	return format.Step{}, fmt.Errorf("unknown command %q: %s", name, strings.Join(names, ", "))
}

// parseStep reads a step as it is written in a scenario.
func parseStep(text string) (format.Step, error) {
	text = strings.TrimSpace(strings.TrimPrefix(text, "- "))
	if text == "" {
		return format.Step{}, fmt.Errorf("step needs a step, such as {scale: {target: deployment/web, replicas: 3}}")
	}
	s, err := format.Parse("step", []byte(fileOf("- "+text)), verb.All)
	if err != nil {
		return format.Step{}, plainError(err)
	}
	if len(s.Spec.Steps) != 1 {
		return format.Step{}, fmt.Errorf("step needs one step, such as {scale: {target: deployment/web, replicas: 3}}")
	}
	return s.Spec.Steps[0], nil
}

func fileOf(steps string) string {
	return "apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nmetadata: {name: step}\nspec:\n  title: step\n  steps:\n  " + steps + "\n"
}

// check finds what the scenario format does not allow, such as a target of an unknown kind.
func check(step format.Step) error {
	s, err := format.Parse("step", []byte(fileOf("- note: none")), verb.All)
	if err != nil {
		return err
	}
	s.Spec.Steps = []format.Step{step}
	if _, err := reread(s); err != nil {
		return plainError(err)
	}
	return nil
}

// plainError leaves out the place in a file that nobody has written.
func plainError(err error) error {
	list, ok := err.(source.ErrorList)
	if !ok || len(list) == 0 {
		return err
	}
	_, field, _ := strings.Cut(list[0].Path, "steps[0].")
	text := strings.TrimSpace(field + " " + list[0].Message)
	if list[0].Try != "" {
		text += " (try: " + list[0].Try + ")"
	}
	return fmt.Errorf("%s", text)
}
