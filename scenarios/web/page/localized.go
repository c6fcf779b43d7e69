package page

import (
	"slices"

	"github.com/kubestep/kubestep/scenarios/language/view"
	"github.com/kubestep/kubestep/scenarios/reading/localization"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
)

// Translation is the page of a lesson in another language.
type Translation struct {
	// Tag is that of the language, as in the attribute lang, and Name what its speakers call it.
	Tag  string `json:"tag"`
	Name string `json:"name"`
	Href string `json:"href"`
}

// Localize sets the language of the page: of its own texts, and of the terms of the glossary. The texts of the steps are those of the
// recording that it was made of, and what kubestep says of a run is English.
func (l *Lesson) Localize(language *localization.Language) {
	l.language, l.Texts = language, language.Pages()
	l.Tabs, l.Phases = slices.Clone(view.Tabs()), slices.Clone(scene.Phases())
	name(l.Tabs, language)
	for i := range l.Phases {
		l.Phases[i].Word = language.Page(l.Phases[i].Word)
	}
	l.Verdict.name(language)
	for i := range l.Branches {
		b := &l.Branches[i]
		b.Title, b.About = language.Lesson(b.Title), language.Lesson(b.About)
		name(b.Run.Tabs, language)
		b.Run.Verdict.name(language)
	}
	l.Terms = termsOf(l)
}

// name gives views their names in a language.
func name(tabs []view.Tab, language *localization.Language) {
	for i := range tabs {
		tabs[i].Name = language.Page(tabs[i].Name)
	}
}

// name translates the verdict of a run that passes. Others are names of verdicts.
func (v *verdict) name(language *localization.Language) {
	if v != nil && v.Passed {
		v.Word = language.Page(v.Word)
	}
}
