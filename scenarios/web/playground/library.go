package playground

import (
	"path"

	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/library/syllabus"
)

// Library is what the page offers to open.
type Library struct {
	Scenarios []Shipped `json:"scenarios"`
	// Course are the names of the lessons in the order of the course.
	Course []string `json:"course"`
}

// Shipped is a scenario that comes with kubestep.
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
}

// ReadLibrary reads all scenarios that come with kubestep.
func ReadLibrary() (*Library, error) {
	files, err := library.Files()
	if err != nil {
		return nil, err
	}
	all := &Library{Course: library.Course}
	for _, file := range files {
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
	return all, nil
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
