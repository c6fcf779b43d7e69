package page

import (
	"fmt"
	"html"
	"strings"
	"time"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/visible"
)

// groupTitles are the headings of the index, by the folders of the scenarios.
var groupTitles = map[string]string{
	"lessons": "The course", "controllers": "Each controller at work", "bugs": "Bugs and surprises of real controllers",
	"conformance": "What real clusters did",
}

// indexStyle adds to the style of the pages.
const indexStyle = `
.entries { list-style: none; padding: 0; display: grid; gap: 8px; grid-template-columns: repeat(auto-fill, minmax(280px, 1fr)); }
.entries a { display: block; color: inherit; text-decoration: none; height: 100%; }
.entries a:hover, .entries a:focus-visible { border-color: var(--now); }
.entries b { display: block; }
`

// Entry is a page of a site.
type Entry struct {
	Name, Title, Group, Level string
	// Unit is the heading of the unit of a lesson, and Number its place in the course; empty for others.
	Unit, Number string
	// Length is that of the film at normal pace, Questions how many it asks.
	Length    time.Duration
	Questions int
}

// Index is the page that leads to all others.
func Index(entries []Entry) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<header><h1>kubestep</h1>
<p class="dim">The real controllers of kube-controller-manager %s, step by step.
Each page contains a run that is the same on every machine.</p></header>
`, controllers.KubernetesVersion)
	text := func(s string) string { return html.EscapeString(visible.Line(strings.Join(strings.Fields(s), " "))) }
	group, unit, open := "", "", false
	for _, e := range entries {
		if open && (e.Group != group || e.Unit != unit) {
			b.WriteString("</ul>\n")
			open = false
		}
		if e.Group != group {
			fmt.Fprintf(&b, "<h2>%s</h2>\n", html.EscapeString(groupTitle(e.Group)))
		}
		if e.Unit != "" && e.Unit != unit {
			fmt.Fprintf(&b, "<h3>%s</h3>\n", text(e.Unit))
		}
		if !open {
			b.WriteString("<ul class=\"entries\">\n")
			open = true
		}
		group, unit = e.Group, e.Unit
		fmt.Fprintf(&b, "<li><a class=\"panel\" href=\"%s.html\"><b>%s</b><span class=\"dim\">%s</span></a></li>\n",
			html.EscapeString(e.Name), text(e.Number+" "+e.Title), text(details(e)))
	}
	if open {
		b.WriteString("</ul>\n")
	}
	return document(style+indexStyle, "form-action 'none'", b.String())
}

// document is a page without a script. forms says where its forms may lead.
func document(style, forms, body string) string {
	return fmt.Sprintf(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; %s">
<title>kubestep</title>
<style>%s</style>
</head>
<body>
<div id="app">
%s</div>
</body>
</html>
`, integrity(style), forms, style, body)
}

func groupTitle(group string) string {
	if title, ok := groupTitles[group]; ok {
		return title
	}
	return group
}

// details are the facts of an entry: how hard it is, how long the film takes, how many questions it asks.
func details(e Entry) string {
	parts := []string{}
	if e.Level != "" {
		parts = append(parts, e.Level)
	}
	parts = append(parts, e.Length.Round(time.Second).String())
	if e.Questions > 0 {
		parts = append(parts, trace.Count(e.Questions, "question"))
	}
	return strings.Join(parts, " · ")
}
