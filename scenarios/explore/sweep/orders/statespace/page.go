package statespace

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/kubestep/kubestep/scenarios/explore/sweep"
	"github.com/kubestep/kubestep/scenarios/explore/sweep/orders"
	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/sim/trace"
)

//go:embed page.html
var frame string

//go:embed page.css
var pageRules string

// Page draws a search in a page that loads nothing and has no script: below the picture are the groups of failing runs with the choices
// that make the difference, and what happens in the default run.
func Page(s *orders.Summary) string {
	svg := SVG(s)
	_, rest, _ := strings.Cut(svg, "<style>")
	inner, _, _ := strings.Cut(rest, "</style>")
	style := palette.CSS(":root", false) + pageRules
	return strings.NewReplacer(
		"{{.Title}}", escaped("Orders of "+s.Results.Header.Name), "{{.Style}}", style, "{{.StyleHash}}", integrity(style),
		"{{.PictureHash}}", integrity(inner), "{{.Picture}}", svg, "{{.Failures}}", failures(s), "{{.Default}}", defaultRun(s),
	).Replace(frame)
}

// failures are the groups of failing runs.
func failures(s *orders.Summary) string {
	var b strings.Builder
	for _, g := range s.Results.Groups() {
		b.WriteString("<section><h2>◆ " + escaped(sweep.Headline(g)) + ", " + trace.Count(len(g.Seeds), "run") + "</h2>\n")
		b.WriteString("<p>" + escaped(g.Message) + "</p>\n<ul>\n")
		for _, line := range s.Differences(s.Lists[g.Smallest]) {
			b.WriteString("<li>" + escaped(line) + "</li>\n")
		}
		b.WriteString("</ul>\n<pre>" + escaped(s.Show(g)) + "</pre></section>\n")
	}
	return b.String()
}

// defaultRun is a table of the choices of the default run.
func defaultRun(s *orders.Summary) string {
	var b strings.Builder
	states, _ := s.Path(nil)
	for i, state := range states {
		cells := []string{strconv.Itoa(i + 1), trace.Seconds(state.At), escaped(orders.Words(state.Open[0]))}
		b.WriteString("<tr><td>" + strings.Join(cells, "</td><td>") + "</td><td>")
		for chosen, open := range state.Open[1:] {
			if chosen > 0 {
				b.WriteString("<br>")
			}
			b.WriteString(escaped(orders.Words(open)))
		}
		b.WriteString("</td></tr>\n")
	}
	return b.String()
}

// integrity is the hash with which a Content-Security-Policy allows a style.
func integrity(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}
