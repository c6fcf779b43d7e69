// Package catalog writes the pages that lead to the pages of scenarios: the course, by its units, and the gallery of all other
// scenarios. Package export knows what is in them; a site (scenarios/web/home) writes them again, with its own links at their top.
package catalog

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/web/internal/document"
	"github.com/kubestep/kubestep/scenarios/web/page"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/visible"
)

// The files of the two pages, beside those of the scenarios, and the titles of the links to them.
const (
	CourseFile, CourseTitle   = "index.html", "Course"
	GalleryFile, GalleryTitle = "gallery.html", "Gallery"
)

// Catalog are the pages of a site.
type Catalog struct {
	// Kubernetes is the version whose controllers ran.
	Kubernetes string  `json:"kubernetes"`
	Entries    []Entry `json:"entries"`
}

// Entry is the page of a scenario, NAME.html.
type Entry struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	// Group is the folder of the scenario, such as bugs/cronjob.
	Group string `json:"group"`
	Level string `json:"level,omitempty"`
	// Status says of a bug whether it is open, and Summary what happens, in a sentence.
	Status  string `json:"status,omitempty"`
	Summary string `json:"summary,omitempty"`
	// Unit is the heading of the unit of a lesson, and Number its place in the course; empty for others.
	Unit   string `json:"unit,omitempty"`
	Number string `json:"number,omitempty"`
	// Length is that of the film at normal pace, Questions how many it asks.
	Length    time.Duration `json:"length"`
	Questions int           `json:"questions,omitempty"`
	// Translations are its pages in other languages.
	Translations []page.Translation `json:"translations,omitempty"`
	// Still is the file of a picture of the run; empty if it has none.
	Still string `json:"still,omitempty"`
}

// Site is what the pages have at their top.
type Site struct {
	Home  string
	Links []document.Link
	Index string
}

// Alone are the links of the pages if there is no more than they: the course and the gallery.
var Alone = Site{Links: []document.Link{{Title: CourseTitle, Href: CourseFile}, {Title: GalleryTitle, Href: GalleryFile}}}

// page is a page of a site. here is the title of the link that leads to it.
func (s Site) page(here string) document.Page {
	page := document.Page{Home: s.Home, Index: s.Index}
	for _, link := range s.Links {
		link.Here = link.Title == here
		page.Links = append(page.Links, link)
	}
	return page
}

// The data of the catalog are in the page of the course.
const dataBegin, dataEnd = `<script type="application/json" id="pages">`, "</script>"

// Read reads the data in a page of the course.
func Read(course string) (c Catalog, err error) {
	_, after, found := strings.Cut(course, dataBegin)
	data, _, ended := strings.Cut(after, dataEnd)
	if !found || !ended {
		return c, fmt.Errorf("the page of the course has no data")
	}
	err = json.Unmarshal([]byte(data), &c)
	return c, err
}

// data are the catalog for Read. JSON escapes what would end the element.
func (c Catalog) data() (string, error) {
	document, err := json.Marshal(c)
	if err != nil {
		return "", fmt.Errorf("encode the catalog: %w", err)
	}
	return dataBegin + string(document) + dataEnd + "\n", nil
}

// text is a text of a scenario in a page: one line, without hidden characters.
func text(s string) string {
	return html.EscapeString(visible.Line(strings.Join(strings.Fields(s), " ")))
}

// details are the facts of an entry: how hard it is, how long the film takes, how many questions it asks.
func details(e Entry) string {
	parts := []string{}
	for _, part := range []string{e.Status, e.Level} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	parts = append(parts, e.Length.Round(time.Second).String())
	if e.Questions > 0 {
		parts = append(parts, trace.Count(e.Questions, "question"))
	}
	return strings.Join(parts, " · ")
}

// card writes an entry of a list.
func card(b *strings.Builder, e Entry) {
	fmt.Fprintf(b, `<li data-name="%s"><a href="%[1]s.html">`, html.EscapeString(e.Name))
	if e.Still != "" {
		fmt.Fprintf(b, `<img src="%s" alt="" width="672" height="212" loading="lazy">`, html.EscapeString(e.Still))
	}
	fmt.Fprintf(b, "<b>%s</b> ", text(e.Number+" "+e.Title))
	if e.Summary != "" {
		fmt.Fprintf(b, "%s ", text(e.Summary))
	}
	fmt.Fprintf(b, "<span class=\"dim\">%s</span></a>", text(details(e)))
	if len(e.Translations) > 0 {
		b.WriteString(`<p class="languages">`)
		for _, other := range e.Translations {
			fmt.Fprintf(b, `<a href="%s" lang="%s" hreflang="%[2]s">%s</a> `, html.EscapeString(other.Href), other.Tag, text(other.Name))
		}
		b.WriteString("</p>")
	}
	b.WriteString("</li>\n")
}
