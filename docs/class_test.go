package docs

import (
	"os"
	"path"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/verb"
)

// TestClassListsTheLessons holds the tutorial to the lessons that there are, and the lessons to what the tutorial
// promises: each asks at least twice.
func TestClassListsTheLessons(t *testing.T) {
	text, err := os.ReadFile("tutorial/class.md")
	if err != nil {
		t.Fatal(err)
	}
	_, course, _ := strings.Cut(string(text), "## The whole course")
	files, err := library.Files()
	if err != nil {
		t.Fatal(err)
	}
	asking, last := 0, 0
	for _, file := range files {
		if path.Dir(file) != "lessons" {
			continue
		}
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
		if questions == 1 {
			t.Errorf("%s asks only once", file)
		}
		if questions > 1 {
			asking++
		}
	}
	if !strings.HasPrefix(string(text), "# Teaching") || asking != 17 {
		t.Errorf("%d lessons ask, and the tutorial says seventeen", asking)
	}
}
