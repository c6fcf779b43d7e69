// Package glossary says what the terms mean that lessons, screens and pages use: those of Kubernetes as its documentation explains
// them, and kubestep's own. docs/reference/glossary.md is made from it, and the interface shows it.
//
// The terms are in en.yaml, whose head says how to write one. Package localization has them in other languages.
package glossary

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sections yields the sections in English, as Glossary.Sections.
func Sections(yield func(int, Section) bool) { english().Sections(yield) }

// Lookup finds a term in English, as Glossary.Lookup.
func Lookup(word string) (Term, bool) { return english().Lookup(word) }

// In finds the terms of Kubernetes in an English text, as Glossary.In.
func In(text string) []Term { return english().In(text) }

// Sections yields the sections with their numbers, those with the terms of Kubernetes first.
func (t *Glossary) Sections(yield func(int, Section) bool) {
	slices.All(t.sections)(yield)
}

// Lookup finds the term with a name or an alias, in any case, in the singular or the plural.
func (t *Glossary) Lookup(word string) (Term, bool) {
	word = strings.ToLower(strings.TrimSpace(word))
	for _, form := range append([]string{word}, singular(word)...) {
		if term, ok := t.found[form]; ok {
			return term, true
		}
	}
	return Term{}, false
}

// singular are the words that a word can be the plural of.
func singular(word string) []string {
	var out []string
	for _, ending := range [][2]string{{"ies", "y"}, {"es", ""}, {"s", ""}} {
		if stem, ok := strings.CutSuffix(word, ending[0]); ok {
			out = append(out, stem+ending[1])
		}
	}
	return out
}

// In finds the terms of Kubernetes that a text uses, in the order in which they come first. A longer term hides a shorter one inside
// it: "rolling update" is not also "update".
func (t *Glossary) In(text string) []Term {
	text = strings.Join(strings.Fields(strings.ToLower(text)), " ")
	first := map[string]int{}
	terms := map[string]Term{}
	for _, form := range t.ofKubernetes {
		for from := 0; ; {
			at, length := next(text, form, from)
			if at < 0 {
				break
			}
			term := t.found[form]
			if known, ok := first[term.Name]; !ok || at < known {
				first[term.Name], terms[term.Name] = at, term
			}
			// Blanks take the place of what was found, so that no shorter term is found in it.
			text = text[:at] + strings.Repeat("\x00", length) + text[at+length:]
			from = at + length
		}
	}
	out := make([]Term, 0, len(terms))
	for _, term := range terms {
		out = append(out, term)
	}
	slices.SortFunc(out, func(a, b Term) int { return first[a.Name] - first[b.Name] })
	return out
}

// next finds a form as a whole word at or after a place, in the singular or the plural: its place and length, or -1.
func next(text, form string, from int) (at, length int) {
	for from < len(text) {
		i := strings.Index(text[from:], form)
		if i < 0 {
			return -1, 0
		}
		at = from + i
		from = at + len(form)
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		first, _ := utf8.DecodeRuneInString(form)
		last, _ := utf8.DecodeLastRuneInString(form)
		if isWordRune(before) && isWordRune(first) {
			continue
		}
		for _, plural := range []string{"", "s", "es"} {
			end := at + len(form) + len(plural)
			if !strings.HasPrefix(text[at+len(form):], plural) {
				continue
			}
			if after, _ := utf8.DecodeRuneInString(text[end:]); !isWordRune(after) || !isWordRune(last) {
				return at, end - at
			}
		}
		if stem, ok := strings.CutSuffix(form, "y"); ok && strings.HasPrefix(text[at:], stem+"ies") {
			return at, len(stem) + len("ies")
		}
	}
	return -1, 0
}

// isWordRune reports whether a character is part of a word together with the characters beside it; utf8.RuneError is what there is
// before a text and after it. Chinese has no spaces between its words.
func isWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_') && !unicode.Is(unicode.Han, r)
}
