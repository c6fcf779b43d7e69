package catalog_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/scenarios/web/internal/catalog"
	"github.com/kubestep/kubestep/scenarios/web/page"
)

var pages = catalog.Catalog{Kubernetes: "v1.37.2", Entries: []catalog.Entry{
	{Name: "a", Title: "A", Group: "lessons", Unit: "1. Workloads", Number: "1.1", Still: "a.svg"},
	{Name: "b", Title: "B </script>", Group: "lessons", Unit: "1. Workloads", Number: "1.2",
		Translations: []page.Translation{{Tag: "de", Name: "Deutsch", Href: "de/b.html"}}},
	{Name: "c", Title: "C", Group: "lessons", Unit: "2. Services & traffic", Number: "2.1"},
	{Name: "d", Title: "D", Group: "bugs/cronjob", Status: "open", Summary: "It runs twice."},
	{Name: "e", Title: "E", Group: "controllers"},
	{Name: "f", Title: "F", Group: "controllers/kubelet"},
	{Name: "g", Title: "G", Group: "controllers"},
	{Name: "h", Title: "H", Group: "bugs/job"},
}}

// inOrder holds that a page has some texts, one after the other.
func inOrder(t *testing.T, page string, texts ...string) {
	t.Helper()
	after := 0
	for _, want := range texts {
		at := strings.Index(page[after:], want)
		if at < 0 {
			t.Fatalf("%s is not where it should be in\n%s", want, page)
		}
		after += at + len(want)
	}
}

// TestTheCourseHasUnits holds that the lessons of the course lie below the headings of their units, with their numbers and pictures,
// and all other pages below the heading of their group in the gallery.
func TestTheCourseHasUnits(t *testing.T) {
	course, err := pages.Course(catalog.Alone)
	if err != nil {
		t.Fatal(err)
	}
	inOrder(t, course, `href="index.html" aria-current="true">Course`, `href="gallery.html">Gallery`, "1. Workloads</h2>", `href="a.html"><img src="a.svg"`,
		"<b>1.1 A</b>", "<b>1.2 B &lt;/script&gt;</b>", `href="de/b.html" lang="de" hreflang="de">Deutsch</a>`, "</ul>", "2. Services &amp; traffic</h2>", "<b>2.1 C</b>", "</ul>")
	if strings.Contains(course, "<b>D</b>") {
		t.Error("the course has a page of the gallery")
	}
	gallery := pages.Gallery(catalog.Alone)
	inOrder(t, gallery, "cronjob</h2>", "<b>D</b> It runs twice.", "open · 0s", "</ul>", "job</h2>", "<b>H</b>",
		"Each controller at work</h2>", "<b>E</b>", "<b>G</b>", "kubelet at work</h2>", "<b>F</b>", "</ul>")
	if strings.Contains(gallery, "1.1 A") {
		t.Error("the gallery has a lesson")
	}
}

// TestRead holds that the page of the course has the data of all pages.
func TestRead(t *testing.T) {
	course, err := pages.Course(catalog.Alone)
	if err != nil {
		t.Fatal(err)
	}
	again, err := catalog.Read(course)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(pages, again); diff != "" {
		t.Error(diff)
	}
	if _, err := catalog.Read("<!doctype html>"); err == nil {
		t.Error("a page without data is read")
	}
}
