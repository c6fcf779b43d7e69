package catalog

import (
	"cmp"
	_ "embed"
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/sim/trace"
)

// script finds entries by their words, and shows what the reader has done.
//
//go:embed catalog.js
var script string

// tools are a search in the list below.
const tools = `<div class="tools"><input type="search" id="filter" aria-label="%s" placeholder="%[1]s"> <span id="progress"></span>
<button id="forget" hidden>Forget my progress</button></div>
<p id="none" class="dim" hidden>No title has all these words.</p>
`

// Course is the page of the course: the lessons, by their units.
func (c Catalog) Course(site Site) (string, error) {
	var lessons []Entry
	for _, e := range c.Entries {
		if e.Unit != "" {
			lessons = append(lessons, e)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<h1>The course</h1>
<p>%s about the real controllers of Kubernetes %s, which run in each of them. A lesson plays a run, stops for questions, and shows
what the answer is and why. No lesson needs one that comes after it.</p>
`, trace.Count(len(lessons), "lesson"), text(c.Kubernetes))
	sections(&b, "lesson", lessons, func(e Entry) string { return e.Unit })
	data, err := c.data()
	if err != nil {
		return "", err
	}
	b.WriteString(data)
	page := site.page(CourseTitle)
	page.Title, page.Description = "The course · kubestep", "Lessons about the controllers of Kubernetes, with questions"
	page.Body, page.Script = b.String(), script
	return page.String(), nil
}

// Gallery is the page of the scenarios that are not in the course, by their controllers.
func (c Catalog) Gallery(site Site) string {
	var entries []Entry
	for _, e := range c.Entries {
		if e.Unit == "" {
			entries = append(entries, e)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<h1>The gallery</h1>
<p>Bugs and surprises of the controllers of Kubernetes %s, each controller at work, and what real clusters did: %s, each a run
that is the same on every machine. A control shows the expected behavior beside a bug.</p>
`, text(c.Kubernetes), trace.Count(len(entries), "scenario"))
	slices.SortStableFunc(entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(rank(a.Group), rank(b.Group)), cmp.Compare(a.Group, b.Group))
	})
	sections(&b, "scenario", entries, func(e Entry) string { return groupTitle(e.Group) })
	page := site.page(GalleryTitle)
	page.Title, page.Description = "The gallery · kubestep", "Bugs and surprises of the controllers of Kubernetes"
	page.Body, page.Script = b.String(), script
	return page.String()
}

// sections writes a search, and entries below their headings, which are in the order of the entries. A list at the top leads to each.
func sections(b *strings.Builder, of string, entries []Entry, heading func(Entry) string) {
	var list, body strings.Builder
	last := ""
	for i, e := range entries {
		if title := heading(e); title != last || i == 0 {
			if i > 0 {
				body.WriteString("</ul></section>\n")
			}
			id := html.EscapeString(anchor(title))
			fmt.Fprintf(&list, "<a href=\"#%s\">%s</a>\n", id, text(title))
			fmt.Fprintf(&body, "<section class=\"unit\"><h2 id=\"%s\">%s</h2>\n<ul class=\"cards\">\n", id, text(title))
			last = title
		}
		card(&body, e)
	}
	if len(entries) > 0 {
		body.WriteString("</ul></section>\n")
	}
	fmt.Fprintf(b, tools, "Find a "+of)
	fmt.Fprintf(b, "<nav class=\"jump\" aria-label=\"On this page\">%s</nav>\n%s", list.String(), body.String())
}

// rank is the place of a group in the gallery: what surprises comes first.
func rank(group string) int {
	tops := []string{"bugs", "controllers", "conformance", ""}
	return slices.IndexFunc(tops, func(top string) bool { return strings.HasPrefix(group, top) })
}

// groupTitles are the headings of the gallery, by the folders of the scenarios. A folder below that of the bugs is a controller.
var groupTitles = map[string]string{
	"lessons": "Lessons", "controllers": "Each controller at work", "controllers/kubelet": "Upstream's kubelet at work",
	"conformance": "What real clusters did",
}

func groupTitle(group string) string {
	if title, ok := groupTitles[group]; ok {
		return title
	}
	return strings.TrimPrefix(group, "bugs/")
}

// anchor is the id of a heading.
func anchor(title string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(title)), "-")
}
