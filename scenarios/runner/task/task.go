// Package task has the tasks of practice. A task is a cluster that is broken or unfinished, with checks on the end and on the way. A
// learner repairs it: with kubectl in a cluster that kubestep practice serves (package practice), or with steps in the playground. What the
// learner did is a session: the scenario of the task with more steps. Its grade is that of a run of the session, so a report can be
// checked by anybody who runs it again.
package task

import (
	"cmp"
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// files are the tasks: NAME.yaml is the scenario of the cluster, whose about is the goal and whose checks are the grade. NAME.hints.md has
// a paragraph for each hint, and NAME.solution.yaml the steps of a solution, which continue those of the scenario.
//
//go:embed tasks
var files embed.FS

// Task is a task.
type Task struct {
	// Scenario makes the cluster.
	Scenario *format.Scenario
	// Hints are in the order in which they help, the last one nearly is the solution.
	Hints []string
}

// Name is that of the task.
func (t *Task) Name() string { return t.Scenario.Metadata.Name }

// Names are those of the tasks, sorted.
func Names() ([]string, error) {
	found, err := fs.Glob(files, "tasks/*.hints.md")
	for i, name := range found {
		found[i] = strings.TrimSuffix(path.Base(name), ".hints.md")
	}
	return found, err
}

// All are the tasks, sorted by their names.
func All() ([]*Task, error) {
	names, err := Names()
	if err != nil {
		return nil, err
	}
	var tasks []*Task
	for _, name := range names {
		task, err := load(name)
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, task)
	}
	return tasks, nil
}

// Find is the task with a name. An unknown name is a *source.Error.
func Find(name string) (*Task, error) {
	names, err := Names()
	if err != nil {
		return nil, err
	}
	if slices.Contains(names, name) {
		return load(name)
	}
	return nil, source.Problem(cmp.Or(spelling.Nearest(name, names), strings.Join(names, ", ")), "there is no task %s", name)
}

func load(name string) (*Task, error) {
	text, err := text(name + ".yaml")
	if err != nil {
		return nil, err
	}
	scenario, err := parse(name, text)
	if err != nil {
		return nil, err
	}
	hints, err := files.ReadFile("tasks/" + name + ".hints.md")
	if err != nil {
		return nil, err
	}
	return &Task{scenario, strings.Split(strings.TrimSpace(string(hints)), "\n\n")}, nil
}

func text(name string) (string, error) {
	data, err := files.ReadFile("tasks/" + name)
	return string(data), err
}

func parse(name, text string) (*format.Scenario, error) {
	scenario, err := format.Parse(name, []byte(text), verb.All, runner.Expressions)
	if err != nil {
		return nil, err
	}
	// As in each cluster that is served: the API server serves definitions, and records who manages which fields.
	scenario.Spec.Cluster.CustomResources, scenario.Spec.Cluster.ManagedFields = true, true
	return scenario, nil
}
