package page_test

import (
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/web/page"
)

// TestTheIndexHasUnits holds that the lessons of the course lie below the headings of their units, with their numbers, and other pages
// below the heading of their group.
func TestTheIndexHasUnits(t *testing.T) {
	index := page.Index([]page.Entry{
		{Name: "a", Title: "A", Group: "lessons", Unit: "1. Workloads", Number: "1.1"},
		{Name: "b", Title: "B", Group: "lessons", Unit: "1. Workloads", Number: "1.2"},
		{Name: "c", Title: "C", Group: "lessons", Unit: "2. Services & traffic", Number: "2.1"},
		{Name: "d", Title: "D", Group: "controllers"},
	})
	after := 0
	for _, want := range []string{
		"<h2>The course</h2>", "<h3>1. Workloads</h3>", "<b>1.1 A</b>", "<b>1.2 B</b>", "</ul>", "<h3>2. Services &amp; traffic</h3>",
		"<b>2.1 C</b>", "</ul>", "<h2>Each controller at work</h2>", "<ul", "<b>D</b>", "</ul>",
	} {
		at := strings.Index(index[after:], want)
		if at < 0 {
			t.Fatalf("%s is not where it should be in\n%s", want, index)
		}
		after += at + len(want)
	}
	if opened, closed := strings.Count(index, "<ul"), strings.Count(index, "</ul>"); opened != 3 || closed != 3 {
		t.Errorf("%d lists begin and %d end", opened, closed)
	}
}
