package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// mostText is how many characters of a section the search knows.
const mostText = 3000

// writeIndex writes what the search knows: a script, since a page that is opened from a disk may not read other files. Each page is
// [page, title, kind, [[anchor, heading, text], ...]], as scenarios/web/internal/document/search.js reads it.
func (s *site) writeIndex() error {
	var index []any
	for _, e := range s.lessons.Entries {
		kind := "Gallery"
		if e.Unit != "" {
			kind = "Lesson"
		}
		title := strings.TrimSpace(e.Number + " " + e.Title)
		said := strings.TrimSpace(e.Summary + " " + e.Name)
		index = append(index, []any{"lessons/" + e.Name + ".html", title, kind, [][3]string{{"", "", said}}})
	}
	for _, d := range s.pages {
		index = append(index, []any{d.out, d.title, d.kind.name, d.sections()})
	}
	text, err := json.Marshal(index)
	if err != nil {
		return fmt.Errorf("write the index of the search: %w", err)
	}
	return s.write("search-index.js", "window.searchIndex = "+string(text)+";\n")
}

// sections are the parts of a page below its headings: an anchor, a heading, and the text. The first is that of the page, without a
// heading.
func (d *text) sections() (sections [][3]string) {
	var anchor, heading string
	var words strings.Builder
	end := func() {
		said := []rune(strings.TrimSpace(words.String()))
		sections = append(sections, [3]string{anchor, heading, string(said[:min(len(said), mostText)])})
		words.Reset()
	}
	for n := d.root.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok {
			words.WriteString(plain(n, d.source) + " ")
			continue
		}
		if h.Level > 1 {
			end()
			anchor, heading = idOf(h), plain(h, d.source)
		}
	}
	end()
	return sections
}
