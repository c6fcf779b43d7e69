// Package document is what the pages of a site have in common: their head, the links at their top, their looks and their search. A page of
// a lesson is a file of its own (scenarios/web/page), which has neither.
//
// Each page contains its style and its script, and a Content-Security-Policy that allows no others. It opens from a disk as well as from a
// server. The one file that a page loads is the index of the search, once the reader searches: search-index.js, a script that sets a
// variable, since a page that is opened from a disk may not read other files.
package document

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/palette"
)

//go:embed document.css
var rules string

//go:embed search.js
var search string

var style = palette.CSS(":root", false) + rules

// Link is a link at the top of a page. Href is relative to the page.
type Link struct {
	Title, Href string
	// Here marks the part of the site that the page belongs to.
	Here bool
}

// Page is a page. Body is HTML, the other fields are texts.
type Page struct {
	Title, Description string
	// Home is where the name of the project leads; empty for a page that has nothing above it.
	Home  string
	Links []Link
	// Index is the path of the index of the search; empty for a page without a search.
	Index string
	// Script runs after the page is there. Beside it, the body has what belongs into main.
	Script, Body string
}

// String is the page as HTML.
func (p Page) String() string {
	script := p.Script
	if p.Index != "" {
		script += search
	}
	var b strings.Builder
	allowed, element := "'none'", ""
	if script != "" {
		script = "\"use strict\";\n" + script
		// What the script loads is allowed by the script, also from a disk, where no name of a server could allow it.
		allowed, element = fmt.Sprintf("'sha256-%s' 'strict-dynamic'", integrity(script)), "<script>"+script+"</script>\n"
	}
	fmt.Fprintf(&b, `<!doctype html>
<html lang="en">
<head>
<meta name="generator" content="kubestep">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="%s">
<meta http-equiv="Content-Security-Policy"
content="default-src 'none'; img-src 'self'; style-src 'sha256-%s'; script-src %s; base-uri 'none'; form-action 'none'">
<title>%s</title>
<style>%s</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
`, html.EscapeString(p.Description), integrity(style), allowed, html.EscapeString(p.Title), style)
	p.header(&b)
	fmt.Fprintf(&b, "<main id=\"main\" tabindex=\"-1\">\n%s</main>\n%s</body>\n</html>\n", p.Body, element)
	return b.String()
}

// header writes the top of the page.
func (p Page) header(b *strings.Builder) {
	b.WriteString("<header class=\"top\"><div>\n")
	if p.Home != "" {
		fmt.Fprintf(b, "<a class=\"brand\" href=\"%s\">kubestep</a>\n", html.EscapeString(p.Home))
	} else {
		b.WriteString("<span class=\"brand\">kubestep</span>\n")
	}
	if len(p.Links) > 0 {
		b.WriteString("<nav aria-label=\"Site\">")
		for _, l := range p.Links {
			here := ""
			if l.Here {
				here = " aria-current=\"true\""
			}
			fmt.Fprintf(b, "<a href=\"%s\"%s>%s</a> ", html.EscapeString(l.Href), here, html.EscapeString(l.Title))
		}
		b.WriteString("</nav>\n")
	}
	if p.Index != "" {
		fmt.Fprintf(b, `<form class="search" role="search" data-index="%s"><input type="search" aria-label="Search lessons and documentation" `+
			`placeholder="Search ( / )" autocomplete="off"><div class="results" hidden></div><p class="quiet" role="status"></p></form>`+"\n",
			html.EscapeString(p.Index))
	}
	b.WriteString("</div></header>\n")
}

// integrity is the hash with which a Content-Security-Policy allows an inline script or style.
func integrity(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}
