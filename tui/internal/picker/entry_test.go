package picker

import (
	"os"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/scenarios/library"
)

// TestTheCourseIsInItsOrder compares the order of the lessons in the picker with the table of the course.
func TestTheCourseIsInItsOrder(t *testing.T) {
	page, err := os.ReadFile("../../../docs/tutorial/class.md")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z0-9-]+)` \\|").FindAllStringSubmatch(string(page), -1) {
		names = append(names, m[1])
	}
	if diff := cmp.Diff(names, library.Course); diff != "" {
		t.Errorf("the course (-docs/tutorial/class.md +picker):\n%s", diff)
	}
	entries, err := Library()
	if err != nil {
		t.Fatal(err)
	}
	if entries[0].Name != library.Course[0] {
		t.Errorf("the picker begins with %s", entries[0].Name)
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
