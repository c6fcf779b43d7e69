package docs

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/scenarios/library"
)

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

// read is the text of a page.
func read(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
