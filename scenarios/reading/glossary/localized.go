package glossary

import (
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/localization"
)

// Localized is the glossary in a language. What has no translation stays English.
func Localized(language *localization.Language) *Glossary {
	if language == nil {
		return english()
	}
	g := &Glossary{found: map[string]Term{}}
	for _, section := range english().sections {
		section.Title, section.Terms = language.Term(section.Title), slices.Clone(section.Terms)
		for i := range section.Terms {
			section.Terms[i].localize(language)
			g.find(section.Terms[i], section.Ours)
		}
		g.sections = append(g.sections, section)
	}
	g.sort()
	return g
}

// Forms are the name and the aliases of a term, as a translation has them.
func (t Term) Forms() string { return strings.Join(t.forms(), ", ") }

// localize translates a term. Its English forms still lead to it: what kubestep says of a run is English, and so are commands and fields.
func (t *Term) localize(language *localization.Language) {
	english := t.forms()
	forms := strings.Split(language.Term(t.Forms()), ", ")
	t.Name, t.Aliases = forms[0], forms[1:]
	for _, form := range english {
		if !slices.ContainsFunc(forms, func(other string) bool { return strings.EqualFold(form, other) }) {
			t.Aliases = append(t.Aliases, form)
		}
	}
	t.Meaning = language.Term(t.Meaning)
}

// find lets the forms of a term lead to it, unless they lead to another one already.
func (g *Glossary) find(term Term, ours bool) {
	for _, form := range term.forms() {
		form = strings.ToLower(form)
		if _, taken := g.found[form]; taken {
			continue
		}
		g.found[form] = term
		if !ours {
			g.ofKubernetes = append(g.ofKubernetes, form)
		}
	}
}
