// Package practice is kubestep practice: tasks for learners. A task is a cluster that is broken or unfinished, served for kubectl (package
// serving), with checks on the end and on the way. The grade is that of a run of what the learner did, so a report can be checked by
// anybody who runs it again.
package practice

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/language/format"
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

// All are the tasks, sorted by their names.
func All() ([]*Task, error) {
	names, err := fs.Glob(files, "tasks/*.hints.md")
	if err != nil {
		return nil, err
	}
	var tasks []*Task
	for _, name := range names {
		task, err := load(strings.TrimSuffix(path.Base(name), ".hints.md"))
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, task)
	}
	return tasks, nil
}

// Find is the task with a name. An unknown name is a *cli.UsageError.
func Find(name string) (*Task, error) {
	tasks, err := All()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, task := range tasks {
		if task.Name() == name {
			return task, nil
		}
		names = append(names, task.Name())
	}
	try := "kubestep practice list"
	if near := spelling.Nearest(name, names); near != "" {
		try = near
	}
	return nil, cli.Usage(fmt.Sprintf("there is no task %s", name), try)
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
