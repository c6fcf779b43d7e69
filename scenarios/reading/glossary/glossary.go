// Package glossary says what the terms mean that lessons, screens and pages use: those of Kubernetes as its documentation explains
// them, and kubestep's own. docs/reference/glossary.md is made from it, and the interface shows it.
//
// A new term is a row in one of the files of this package. The row has the term as people write it in the middle of a sentence, its
// other forms, and one or two plain sentences without markup that somebody understands who knows kubectl only.
package glossary

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Term is one word, or a few, with one meaning.
type Term struct {
	// Name is the term as it is written in the middle of a sentence.
	Name string
	// Aliases are other forms: abbreviations, related forms and synonyms. Plurals in s, es and ies need none.
	Aliases []string
	// Meaning is one or two sentences, or a few, without markup.
	Meaning string
	// Link is the page that says more; may be empty.
	Link string
	// View is the view of kubestep that shows it, by the name that the verb show has for it; may be empty.
	View string
	// Not are words that are not used for it.
	Not []string
}

// Section is a group of terms that belong together.
type Section struct {
	Title string
	// Ours says that the terms are kubestep's own. Many of them are everyday words, too.
	Ours  bool
	Terms []Term
}

// Sections are all terms, those of Kubernetes first.
var Sections = []Section{
	cluster, workloads, rollouts, lifetime, disruptions, placement, control, api,
	runs, scenarioTerms, exploring, simulation,
}

// found is where each form of a term leads, by the form in lower case.
var found = func() map[string]Term {
	forms := map[string]Term{}
	for _, section := range Sections {
		for _, term := range section.Terms {
			for _, form := range term.forms() {
				if key := strings.ToLower(form); forms[key].Name == "" {
					forms[key] = term
				}
			}
		}
	}
	return forms
}()

// ofKubernetes are the forms of Kubernetes' terms in lower case, the longest first.
var ofKubernetes = func() []string {
	var forms []string
	for _, section := range Sections {
		for _, term := range section.Terms {
			if !section.Ours {
				forms = append(forms, term.forms()...)
			}
		}
	}
	for i := range forms {
		forms[i] = strings.ToLower(forms[i])
	}
	slices.SortFunc(forms, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return slices.Compact(forms)
}()

// forms are the name and the aliases.
func (t Term) forms() []string { return append([]string{t.Name}, t.Aliases...) }

// Lookup finds the term with a name or an alias, in any case, in the singular or the plural. Where an everyday word is a term of
// Kubernetes and one of kubestep, it finds that of Kubernetes.
func Lookup(word string) (Term, bool) {
	word = strings.ToLower(strings.TrimSpace(word))
	for _, form := range append([]string{word}, singular(word)...) {
		if term, ok := found[form]; ok {
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
func In(text string) []Term {
	text = strings.Join(strings.Fields(strings.ToLower(text)), " ")
	first := map[string]int{}
	terms := map[string]Term{}
	for _, form := range ofKubernetes {
		for from := 0; ; {
			at, length := next(text, form, from)
			if at < 0 {
				break
			}
			term := found[form]
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
		if wordRune(before) {
			continue
		}
		for _, plural := range []string{"", "s", "es"} {
			end := at + len(form) + len(plural)
			if !strings.HasPrefix(text[at+len(form):], plural) {
				continue
			}
			if after, _ := utf8.DecodeRuneInString(text[end:]); !wordRune(after) {
				return at, end - at
			}
		}
		if stem, ok := strings.CutSuffix(form, "y"); ok && strings.HasPrefix(text[at:], stem+"ies") {
			return at, len(stem) + len("ies")
		}
	}
	return -1, 0
}

// wordRune reports whether a character is part of a word; utf8.RuneError is what there is before a text and after it.
func wordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
}
