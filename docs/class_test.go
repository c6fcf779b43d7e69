package docs

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library"
)

// asksNothing is the one lesson without questions.
const asksNothing = "controller-manager-tour"

// minutes are the rows of the class: from when to when a lesson takes.
var minutes = regexp.MustCompile("(?m)^\\| ([0-9]+)-([0-9]+) \\| `([a-z0-9-]+)` \\|")

// TestClassTakes45Minutes holds the timetable of the tutorial to the lessons of the class.
func TestClassTakes45Minutes(t *testing.T) {
	text := read(t, "tutorial/class.md")
	var lessons []string
	last := "0"
	for _, row := range minutes.FindAllStringSubmatch(text, -1) {
		if row[1] != last {
			t.Errorf("%s begins at minute %s, and the lesson before it ends at %s", row[3], row[1], last)
		}
		lessons, last = append(lessons, row[3]), row[2]
	}
	if diff := cmp.Diff(library.Class, lessons); diff != "" {
		t.Errorf("lessons of the class: -library +tutorial\n%s", diff)
	}
	if !strings.Contains(text, "| "+last+"-45 | questions |") {
		t.Errorf("the lessons end at minute %s, and questions until 45 do not follow", last)
	}
}

// TestClassListsTheLessons holds the tutorial to the lessons that there are, and the lessons to what the tutorial promises: each but
// one asks at least twice.
func TestClassListsTheLessons(t *testing.T) {
	_, course, _ := strings.Cut(read(t, "tutorial/class.md"), "## All lessons")
	files, err := library.Files()
	if err != nil {
		t.Fatal(err)
	}
	last, lessons := 0, 0
	for _, file := range files {
		if !strings.HasPrefix(file, "lessons/") {
			continue
		}
		lessons++
		lesson, err := library.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		name, level := lesson.Metadata.Name, lesson.Metadata.Labels["level"]
		at := strings.Index(course, "| `"+name+"` | "+level+" |")
		if at < last {
			t.Errorf("tutorial/class.md does not list %s, with the level %s, at its place in the course", name, level)
		}
		last = at
		questions := 0
		for _, step := range lesson.Spec.Steps {
			if _, asks := step.Verb.(*verb.Ask); asks {
				questions++
			}
		}
		if (questions < 2) != (name == asksNothing) {
			t.Errorf("%s asks %d questions", file, questions)
		}
	}
	if lessons != len(library.Course) {
		t.Errorf("the course has %d of %d lessons", len(library.Course), lessons)
	}
}

// read is the text of a page.
func read(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
