package task

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
)

// Horizon is how long a session of steps lasts, in virtual time: long enough for every change of a task to come to rest.
const Horizon = 10 * time.Minute

// Session is a task, and what a learner did.
type Session struct {
	Task *Task
	// Scenario is that of the task, whose steps those of the learner continue.
	Scenario *format.Scenario
	// Writes is the number of the learner's requests.
	Writes int
}

// Text is the scenario of the session, with the settings that all tasks have. Its source lacks them.
func (s *Session) Text() (string, error) {
	text, err := s.Scenario.Encode()
	return string(text), err
}

// Steps is the text of a session before the learner has done anything, for Parse.
func (t *Task) Steps() string {
	return "# " + t.Scenario.Spec.Title + "\ntask: " + t.Name() + "\nsteps:\n"
}

// first is the key that a text for Parse has, and a scenario has not.
var first = regexp.MustCompile(`(?m)^task\s*:`)

// IsSession reports whether a text is one for Parse, and not a scenario.
func IsSession(text string) bool { return first.MatchString(text) }

// form is what to try where the text of a session is no session at all.
const form = "task: NAME and steps:, with a step in each line that begins with -"

// Parse reads the steps of a learner as they are written in the playground: a YAML document with the name of a task and a list of steps.
//
//	task: roll-back
//	steps:
//	- rollout: {undo: deployment/web}
//
// What is wrong is a source.ErrorList with the places in the text.
func Parse(text string) (*Session, error) {
	written, err := read(text)
	if err != nil {
		return nil, source.ErrorList{err}
	}
	task, err := written.find()
	if err != nil {
		return nil, source.ErrorList{err}
	}
	given := strings.TrimRight(string(task.Scenario.Source()), "\n") + "\n"
	scenario, failed := parse(task.Name(), given+written.indented())
	if failed != nil {
		return nil, written.placed(failed, strings.Count(given, "\n"))
	}
	own := scenario.Spec.Steps[len(task.Scenario.Spec.Steps):]
	if i := forbidden(own); i >= 0 {
		word := own[i].Verb.Keyword()
		problem := source.Problem("a request, as kubectl sends it", "%s changes the simulation", word)
		return nil, source.ErrorList{at(written.items[i], problem)}
	}
	scenario.Spec.Horizon.Duration = Horizon
	requests, failed := task.requests(scenario)
	if failed != nil {
		return nil, failed
	}
	return &Session{task, scenario, requests}, nil
}

// steps are the steps of a learner as a text.
type steps struct {
	task  *yaml.Node
	items []*yaml.Node
	lines []string
	// from is the line of the first step, counted from 0, and indent the columns in front of it.
	from, indent int
}

// read finds the name and the steps.
func read(text string) (*steps, *source.Error) {
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(text), &root); err != nil {
		return nil, source.Problem(form, "this is not YAML: %v", err)
	}
	if err := source.CheckAliases(&root); err != nil {
		return nil, err
	}
	if len(root.Content) == 0 || root.Content[0].Kind != yaml.MappingNode {
		return nil, source.Problem(form, "this is not a session of a task")
	}
	s := &steps{lines: strings.Split(text, "\n")}
	s.from = len(s.lines)
	fields := root.Content[0].Content
	for i := 0; i < len(fields); i += 2 {
		key, value := fields[i], fields[i+1]
		switch {
		case key.Value == "task" && value.Kind == yaml.ScalarNode && i == 0:
			s.task = value
		case key.Value == "steps" && i == len(fields)-2 && value.Kind == yaml.SequenceNode && value.Style&yaml.FlowStyle == 0:
			s.items, s.from, s.indent = value.Content, value.Line-1, value.Column-1
		case key.Value == "steps" && i == len(fields)-2 && (value.Tag == "!!null" || len(value.Content) == 0):
		default:
			return nil, at(key, source.Problem(form, "%s is not expected here", key.Value))
		}
	}
	if s.task == nil {
		return nil, source.Problem(form, "the name of the task is missing")
	}
	return s, nil
}

// at gives an error the place of a node.
func at(node *yaml.Node, err *source.Error) *source.Error {
	err.Position = source.Position{Line: node.Line, Column: node.Column}
	return err
}

// find is the task of the steps.
func (s *steps) find() (*Task, *source.Error) {
	t, err := Find(s.task.Value)
	var unknown *source.Error
	switch {
	case errors.As(err, &unknown):
		return nil, at(s.task, unknown)
	case err != nil:
		return nil, source.Problem("another task", "%v", err)
	}
	return t, nil
}

// indent is that of the steps in the scenario of a task.
const indent = 2

// indented are the steps as they continue those of a task.
func (s *steps) indented() string {
	var b strings.Builder
	for _, line := range s.lines[s.from:] {
		content := strings.TrimLeft(line, " ")
		if content == "" {
			b.WriteString("\n")
			continue
		}
		fmt.Fprintf(&b, "%*s%s\n", max(len(line)-len(content)-s.indent, 0)+indent, "", content)
	}
	return b.String()
}

// step is the beginning of the path of a field of a step.
var step = regexp.MustCompile(`^spec\.steps\[\d+\]\.?`)

// placed moves errors to the lines of the learner, which begin after so many lines of the task.
func (s *steps) placed(err error, before int) error {
	var list source.ErrorList
	if !errors.As(err, &list) {
		return err
	}
	for _, e := range list {
		e.File = ""
		if e.Line <= before {
			e.Position = source.Position{}
			continue
		}
		e.Line += s.from - before
		e.Column = max(e.Column+s.indent-indent, 1)
		// The number of the step in the path counts those of the task, too; the place says which step it is.
		e.Path = step.ReplaceAllString(e.Path, "")
	}
	return list
}
