// Package terms shows the glossary (scenarios/reading/glossary) over a screen: first the terms that the screen itself uses, then all
// of them. What is typed searches; enter leads to the view that shows the term.
package terms

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/kubestep/kubestep/scenarios/reading/glossary"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// List is the glossary as it is shown. The zero value is closed.
type List struct {
	Open bool
	all  *glossary.Glossary
	// here are the terms of the screen below.
	here   []glossary.Term
	search string
	cursor int
}

// New opens a glossary over a screen. Of the texts, what is selected comes first.
func New(all *glossary.Glossary, texts ...string) List {
	return List{Open: true, all: all, here: all.In(ansi.Strip(strings.Join(texts, "\n")))}
}

// row is a line of the list: a heading, or a term with its index among the terms that are shown.
type row struct {
	heading string
	term    glossary.Term
	index   int
}

// rows are the lines that match the search.
func (l *List) rows() []row {
	var rows []row
	n := 0
	add := func(heading string, terms []glossary.Term) {
		begun := false
		for _, term := range terms {
			if !l.matches(term) {
				continue
			}
			if !begun {
				rows, begun = append(rows, row{heading: heading, index: -1}), true
			}
			rows = append(rows, row{term: term, index: n})
			n++
		}
	}
	add("On this screen", l.here)
	for _, section := range l.all.Sections {
		add(section.Title, slices.DeleteFunc(slices.Clone(section.Terms), l.isHere))
	}
	return rows
}

// isHere reports whether a term is among those of the screen.
func (l *List) isHere(term glossary.Term) bool {
	return slices.ContainsFunc(l.here, func(other glossary.Term) bool { return other.Name == term.Name })
}

// matches reports whether each word of the search begins a word of the term or of its aliases.
func (l *List) matches(term glossary.Term) bool {
	names := strings.ToLower(strings.Join(append([]string{term.Name}, term.Aliases...), " "))
	for word := range strings.FieldsSeq(strings.ToLower(l.search)) {
		if !strings.HasPrefix(names, word) && !strings.Contains(names, " "+word) {
			return false
		}
	}
	return true
}

// terms are the terms of rows.
func terms(rows []row) (all []glossary.Term) {
	for _, r := range rows {
		if r.index >= 0 {
			all = append(all, r.term)
		}
	}
	return all
}

// Key searches and selects. view is the view to go to, if there is one; the list closes itself.
func (l *List) Key(msg tea.KeyMsg) (view string) {
	all := terms(l.rows())
	switch msg.Type {
	case tea.KeyEsc:
		*l = List{}
	case tea.KeyEnter:
		if l.cursor < len(all) {
			view = all[l.cursor].View
		}
		*l = List{}
	case tea.KeyUp:
		l.cursor--
	case tea.KeyDown:
		l.cursor++
	case tea.KeyPgUp:
		l.cursor -= 10
	case tea.KeyPgDown:
		l.cursor += 10
	case tea.KeyBackspace:
		runes := []rune(l.search)
		l.search, l.cursor = string(runes[:max(len(runes)-1, 0)]), 0
	case tea.KeyRunes, tea.KeySpace:
		for _, r := range msg.Runes {
			if unicode.IsPrint(r) && len(l.search) < longestSearch {
				l.search, l.cursor = l.search+string(r), 0
			}
		}
	}
	if l.Open {
		l.cursor = min(max(l.cursor, 0), max(len(terms(l.rows()))-1, 0))
	}
	return view
}

// longestSearch is how many bytes can be typed.
const longestSearch = 40

// Hint says in the last line what can be done.
const Hint = "type to search  ↑ ↓ select  enter shows it  esc closes"

// twoColumns is the width from which on the meaning is beside the list.
const twoColumns = 90

// View draws the glossary.
func (l *List) View(t *theme.Theme, width, height int) []string {
	rows := l.rows()
	if width >= twoColumns {
		left := width * 2 / 5
		return frame.Beside(l.list(t, rows, left, height), l.meaning(t, rows, width-left, height))
	}
	below := max(height*2/5, 8)
	return append(l.list(t, rows, width, height-below), l.meaning(t, rows, width, below)...)
}

// list draws the terms.
func (l *List) list(t *theme.Theme, rows []row, width, height int) []string {
	title := t.Title.Render("Glossary")
	if l.search != "" {
		title += t.Note.Render("  " + l.search)
	}
	title += t.Dim.Render(fmt.Sprintf("  %d", len(terms(rows))))
	at := 0
	var lines []string
	for i, r := range rows {
		switch {
		case r.index < 0:
			lines = append(lines, t.Title.Render(r.heading))
		case r.index == l.cursor:
			at, lines = i, append(lines, t.Now.Render(frame.Fit("▸ "+r.term.Name, width-4)))
		default:
			lines = append(lines, "  "+r.term.Name)
		}
	}
	if len(lines) == 0 {
		lines = []string{"no term begins with this"}
	}
	from, to := frame.Window(len(lines), at, height-2)
	if l.cursor == 0 {
		from, to = 0, min(len(lines), height-2)
	}
	return frame.Box(title, lines[from:to], width, height, t.Dim)
}

// meaning draws the term that is selected.
func (l *List) meaning(t *theme.Theme, rows []row, width, height int) []string {
	all := terms(rows)
	if l.cursor >= len(all) {
		return frame.Box("", nil, width, height, t.Dim)
	}
	term := all[l.cursor]
	lines := frame.Wrap(term.Meaning, width-4, 0)
	add := func(text string) {
		for _, line := range frame.Wrap(text, width-4, 2) {
			lines = append(lines, t.Dim.Render(line))
		}
	}
	if len(term.Aliases)+len(term.Link)+len(term.View) > 0 {
		lines = append(lines, "")
	}
	if len(term.Aliases) > 0 {
		add("also: " + strings.Join(term.Aliases, ", "))
	}
	if term.View != "" {
		add("enter shows it: view " + term.View)
	}
	if term.Link != "" {
		add(term.Link)
	}
	return frame.Box(t.Title.Render(term.Name), lines, width, height, t.Dim)
}
