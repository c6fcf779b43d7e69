package picker

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/library/syllabus"
)

// TestTheCourseIsGroupedByUnit compares the lessons in the picker with the course: each below the heading of its unit, with its number.
func TestTheCourseIsGroupedByUnit(t *testing.T) {
	entries, err := Library(nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range library.Course {
		lesson, _ := syllabus.Find(name)
		got := []string{entries[i].Name, entries[i].heading(), entries[i].Number}
		if diff := cmp.Diff([]string{name, unitHeading(lesson), lesson.Number}, got); diff != "" {
			t.Errorf("entry %d (-course +picker):\n%s", i, diff)
		}
	}
	if rest := entries[len(library.Course)]; rest.Number != "" || rest.heading() != "Controllers" {
		t.Errorf("after the course comes %s below %s", rest.Name, rest.heading())
	}
}

// TestAFilterFindsTheBeginningsOfWords holds that a filter does not find a word in the middle of another one.
func TestAFilterFindsTheBeginningsOfWords(t *testing.T) {
	e := Entry{Name: "stuck-rollout", Title: "A controller waits", Group: "lessons"}
	for word, want := range map[string]bool{"roll": true, "stuck-roll": true, "lesson": true, "control": true, "troll": false, "ollo": false} {
		if got := e.matches([]string{word}); got != want {
			t.Errorf("matches(%s) = %v, want %v", word, got, want)
		}
	}
	if (&Entry{Title: "A controller waits"}).matches([]string{"roll"}) {
		t.Error("roll finds a controller")
	}
}
