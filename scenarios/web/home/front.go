package main

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"

	"github.com/kubestep/kubestep/sim/trace"
)

// film is the first picture of the site.
const film = "docs/tutorial/images/film.svg"

// writeHome writes the home page, from the README: its first sentences, its film, how to install and to begin.
func (s *site) writeHome() error {
	readme, err := os.ReadFile(filepath.Join(s.root, "README.md"))
	if err != nil {
		return fmt.Errorf("write the home page: %w", err)
	}
	picture, err := os.ReadFile(filepath.Join(s.root, film))
	if err != nil {
		return fmt.Errorf("write the home page: %w", err)
	}
	if len(picture) > mostFirst {
		return errLarge
	}
	if err := s.write(film, string(picture)); err != nil {
		return err
	}
	paragraphs := strings.Split(string(readme), "\n\n")
	if len(paragraphs) < 3 {
		return fmt.Errorf("README.md does not say what kubestep is")
	}
	says, err := s.part(firstSentence(paragraphs[2]))
	if err != nil {
		return err
	}
	begin := ""
	for _, title := range []string{"Install", "Quick start"} {
		part, err := s.part(section(string(readme), title))
		if err != nil {
			return err
		}
		begin += part
	}
	var b strings.Builder
	course, play := "lessons/index.html", "docs/howto/run-in-a-browser.html"
	if s.playground {
		play = "playground/index.html"
	}
	fmt.Fprintf(&b, `<div class="hero"><div><h1>kubestep</h1>
<p class="lead">%s</p>
%s<p class="actions"><a href="%s">Begin the course</a> <a href="#quick-start">Quick start</a></p></div>
<a href="lessons/deployment.html"><img src="%s" width="960" height="520"
alt="A film of a rolling update: Pods appear and end, and messages travel between controllers and the API server"></a>
</div>
`, html.EscapeString(strings.Join(strings.Fields(paragraphs[1]), " ")), says, course, film)
	b.WriteString("<ul class=\"cards parts\">\n")
	for _, part := range s.parts(course, play) {
		fmt.Fprintf(&b, "<li><a href=\"%s\"><b>%s</b>%s</a></li>\n", part[0], part[1], part[2])
	}
	fmt.Fprintf(&b, "</ul>\n<article>\n%s</article>\n", begin)
	fmt.Fprintf(&b, `<p class="dim"><a href="%s">Source code</a> · <a href="%[1]s/blob/%s/LICENSE">Apache-2.0</a></p>
`, repository, s.ref)
	page := s.page("", "")
	page.Title, page.Description, page.Body = "kubestep", strings.Join(strings.Fields(paragraphs[1]), " "), b.String()
	return s.write("index.html", page.String())
}

// parts are the parts of the site: a target, a title, and what is there.
func (s *site) parts(course, play string) [][3]string {
	lessons := 0
	for _, e := range s.lessons.Entries {
		if e.Unit != "" {
			lessons++
		}
	}
	others := len(s.lessons.Entries) - lessons
	playground := "Change a scenario and run the real controllers in a browser tab."
	if !s.playground {
		playground = "Build a page that runs the real controllers in a browser tab."
	}
	return [][3]string{
		{course, "Course", trace.Count(lessons, "lesson") + " that play in the browser and ask questions."},
		{"lessons/gallery.html", "Gallery", trace.Count(others, "scenario") + ": bugs and surprises of the controllers of Kubernetes, step by step."},
		{play, "Playground", playground},
		{"docs/index.html", "Documentation", "Tutorials, how-to guides, explanation and reference."},
	}
}

// part is a part of the README as HTML.
func (s *site) part(source string) (string, error) {
	return s.body("README.md", "index.html", []byte(source), parse([]byte(source)))
}

// firstSentence is the first sentence of a paragraph.
func firstSentence(paragraph string) string {
	words := strings.Fields(paragraph)
	for i, word := range words {
		if strings.HasSuffix(word, ".") {
			return strings.Join(words[:i+1], " ")
		}
	}
	return paragraph
}

// section is a section of the README with its heading.
func section(readme, title string) string {
	for part := range strings.SplitSeq(readme, "\n## ") {
		if strings.HasPrefix(part, title+"\n") {
			return "## " + part
		}
	}
	return ""
}
