package playground

import (
	"path"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/library/syllabus"
	"github.com/kubestep/kubestep/scenarios/runner/task"
)

// Library is what the page offers to open.
type Library struct {
	Scenarios []Shipped `json:"scenarios"`
	// Course are the names of the lessons in the order of the course.
	Course []string `json:"course"`
	// Requests are the steps that a learner may take in a task.
	Requests []Request `json:"requests"`
}

// Request is a step of a learner: its verb, what it does, and an example, as an item of a list in YAML.
type Request struct {
	Verb    string `json:"verb"`
	About   string `json:"about"`
	Example string `json:"example"`
}

// practice is the group of the tasks.
const practice = "practice"

// Shipped is a scenario that comes with kubestep, or a task: its text is that of a session without steps, and about its goal.
type Shipped struct {
	Name  string `json:"name"`
	Group string `json:"group"`
	// Unit is the heading of the unit of a lesson, and Number its place in the course.
	Unit   string `json:"unit,omitempty"`
	Number string `json:"number,omitempty"`
	Topic  string `json:"topic,omitempty"`
	Level  string `json:"level,omitempty"`
	Title  string `json:"title"`
	About  string `json:"about,omitempty"`
	Text   string `json:"text"`
	// Hints are those of a task, in the order in which they help.
	Hints []string `json:"hints,omitempty"`
}

// ReadLibrary reads all tasks and scenarios that come with kubestep, without those with upstream's kubelet: it does not run in a browser.
func ReadLibrary() (*Library, error) {
	files, err := library.Files()
	if err != nil {
		return nil, err
	}
	all := &Library{Course: slices.Clone(library.Course)}
	for _, file := range files {
		if library.NeedsKubelet(file) {
			name := strings.TrimSuffix(path.Base(file), path.Ext(file))
			all.Course = slices.DeleteFunc(all.Course, func(lesson string) bool { return lesson == name })
			continue
		}
		s, err := shipped(file)
		if err != nil {
			return nil, err
		}
		labels := s.Metadata.Labels
		entry := Shipped{
			Name: s.Metadata.Name, Group: path.Dir(file), Topic: labels["topic"], Level: labels["level"],
			Title: s.Spec.Title, About: s.Background(), Text: string(s.Source()),
		}
		if lesson, found := syllabus.Find(entry.Name); found {
			entry.Unit, entry.Number = lesson.Heading(), lesson.Number
		}
		all.Scenarios = append(all.Scenarios, entry)
	}
	tasks, err := task.All()
	if err != nil {
		return nil, err
	}
	for _, t := range tasks {
		all.Scenarios = append(all.Scenarios, Shipped{
			Name: t.Name(), Group: practice, Level: t.Scenario.Metadata.Labels["level"], Title: t.Scenario.Spec.Title,
			About: strings.TrimSpace(t.Scenario.Spec.About), Text: t.Steps(), Hints: t.Hints,
		})
	}
	for _, row := range verb.Table {
		word := row.Of.Keyword()
		if verb.IsRequest(word) || row.Of.Role() == format.Observation {
			all.Requests = append(all.Requests, Request{word, row.Doc, firstItem(row.Example)})
		}
	}
	return all, nil
}

// firstItem is the first item of a list in YAML, without the comments around it.
func firstItem(list string) string {
	var lines []string
	for line := range strings.Lines(list) {
		begins := strings.HasPrefix(line, "- ")
		if strings.HasPrefix(line, "#") || begins && len(lines) > 0 {
			if len(lines) > 0 {
				break
			}
			continue
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "")
}

// Engine is what engine.json says of the engine of a site.
type Engine struct {
	Version    string `json:"version"`
	Kubernetes string `json:"kubernetes"`
	Commit     string `json:"commit"`
	// Wasm is the name of the file, which has the forms .br and .gz, and Bytes its size without compression.
	Wasm  string `json:"wasm"`
	Bytes int    `json:"bytes"`
}
