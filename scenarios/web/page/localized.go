package page

import (
	"slices"

	"github.com/kubestep/kubestep/scenarios/language/view"
	"github.com/kubestep/kubestep/scenarios/reading/localization"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
)

// Localize sets the language of the page: of its own texts, and of the terms of the glossary. The texts of the lesson are those of the
// recording that it was made of, and what kubestep says of a run is English.
func (l *Lesson) Localize(language *localization.Language) {
	l.language, l.Texts = language, language.Pages()
	l.Tabs, l.Phases = slices.Clone(view.Tabs()), slices.Clone(scene.Phases())
	for i := range l.Tabs {
		l.Tabs[i].Name = language.Page(l.Tabs[i].Name)
	}
	for i := range l.Phases {
		l.Phases[i].Word = language.Page(l.Phases[i].Word)
	}
	if l.Verdict != nil && l.Verdict.Passed {
		l.Verdict.Word = language.Page(l.Verdict.Word)
	}
	l.Terms = termsOf(l)
}
