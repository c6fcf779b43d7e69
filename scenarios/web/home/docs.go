package main

import (
	"errors"
	"fmt"
	"html"
	"strings"
)

// writeDocs writes the pages of documentation, and the list of them.
func (s *site) writeDocs() error {
	for _, d := range s.pages {
		if err := s.writeDoc(d); err != nil {
			return err
		}
	}
	var b strings.Builder
	b.WriteString("<h1>Documentation</h1>\n")
	for i := range kinds {
		of := s.ofKind(&kinds[i])
		fmt.Fprintf(&b, "<h2 id=\"%s\">%s</h2>\n<ul class=\"cards\">\n", kinds[i].folder, kinds[i].title)
		for _, d := range of {
			about := ""
			if d.about != "" {
				about = fmt.Sprintf("<span class=\"dim\">%s</span>", html.EscapeString(sentence(d.about)))
			}
			fmt.Fprintf(&b, "<li><a href=\"%s\"><b>%s</b>%s</a></li>\n",
				relative("docs/index.html", d.out), html.EscapeString(d.called()), about)
		}
		b.WriteString("</ul>\n")
	}
	page := s.page("Documentation", "../")
	page.Title, page.Description, page.Body = "Documentation · kubestep", "Tutorials, how-to guides, explanation and reference", b.String()
	return s.write("docs/index.html", page.String())
}

// sentence begins with a capital letter, and has no marks of Markdown.
func sentence(text string) string {
	text = strings.NewReplacer("`", "", "**", "").Replace(text)
	return strings.ToUpper(text[:1]) + text[1:]
}

// ofKind are the pages of a kind.
func (s *site) ofKind(k *kind) (of []*text) {
	for _, d := range s.pages {
		if d.kind == k {
			of = append(of, d)
		}
	}
	return of
}

// script brings the page that is read into view in the list of all pages, which may be longer than the window.
const script = `{
  const list = document.querySelector(".kinds"), here = list.querySelector("[aria-current]");
  list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
}
`

// writeDoc writes a page of documentation.
func (s *site) writeDoc(d *text) error {
	body, err := s.body(d.path, d.out, d.source, d.root)
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("<div class=\"docs\">\n")
	s.navigation(&b, d)
	fmt.Fprintf(&b, `<article>
<p class="crumbs"><a href="%s">Documentation</a> / <a href="%[1]s#%[2]s">%[3]s</a></p>
%s</article>
`, relative(d.out, "docs/index.html"), d.kind.folder, d.kind.title, body)
	d.onPage(&b)
	b.WriteString("</div>\n")
	root := strings.Repeat("../", strings.Count(d.out, "/"))
	page := s.page("Documentation", root)
	page.Title, page.Description, page.Body = d.title+" · kubestep", d.kind.name+" of kubestep: "+d.title, b.String()
	page.Script = script
	return s.write(d.out, page.String())
}

// navigation writes the list of all pages, of which that of the kind of the page is open.
func (s *site) navigation(b *strings.Builder, here *text) {
	b.WriteString("<nav class=\"kinds\" aria-label=\"Documentation\">\n")
	for i := range kinds {
		open := ""
		if here.kind == &kinds[i] {
			open = " open"
		}
		fmt.Fprintf(b, "<details%s><summary>%s</summary><ul>\n", open, kinds[i].title)
		for _, d := range s.ofKind(&kinds[i]) {
			current := ""
			if d == here {
				current = ` aria-current="page"`
			}
			fmt.Fprintf(b, "<li><a href=\"%s\"%s>%s</a></li>\n", relative(here.out, d.out), current, html.EscapeString(d.called()))
		}
		b.WriteString("</ul></details>\n")
	}
	b.WriteString("</nav>\n")
}

// mostHeadings is how many headings a list beside a page may have. Of a page with more, it has those of the second level.
const mostHeadings = 30

// onPage writes the headings of the page.
func (d *text) onPage(b *strings.Builder) {
	deepest := 3
	if len(d.headings) > mostHeadings {
		deepest = 2
	}
	b.WriteString("<nav class=\"onpage\" aria-label=\"On this page\"><ul>\n")
	for _, h := range d.headings {
		if h.Level < 2 || h.Level > deepest {
			continue
		}
		class := ""
		if h.Level > 2 {
			class = ` class="deep"`
		}
		fmt.Fprintf(b, "<li><a href=\"#%s\"%s>%s</a></li>\n", html.EscapeString(idOf(h)), class, html.EscapeString(plain(h, d.source)))
	}
	b.WriteString("</ul></nav>\n")
}

// mostFirst is the size in bytes that the first picture of the site may have.
const mostFirst = 200_000

// errLarge is a first picture that takes long to load.
var errLarge = errors.New("the film of the home page is larger than 200 kB")
