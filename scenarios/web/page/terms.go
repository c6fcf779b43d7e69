package page

import (
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/glossary"
)

// term is a term of the glossary.
type term struct {
	Name    string   `json:"name"`
	Also    []string `json:"also,omitempty"`
	Meaning string   `json:"meaning"`
	Link    string   `json:"link,omitempty"`
}

// ofEveryPage are words that the player itself uses.
const ofEveryPage = "API server, controller, cache, informer, work queue, watch event, sync, owner, resourceVersion, Pod, ready, available"

// termsOf are the terms of Kubernetes that a page uses, in the order in which they come first.
func termsOf(l *Lesson) []term {
	var text strings.Builder
	write := func(texts ...string) {
		for _, t := range texts {
			text.WriteString(t + "\n")
		}
	}
	for _, b := range l.Beats {
		write(b.Note, b.Actor, b.Verb, b.Object, b.Detail, b.Result)
		if b.Ask != nil {
			write(b.Ask.Question)
			write(b.Ask.Choices...)
		}
		if b.Answer != nil {
			write(b.Answer.Explain)
		}
	}
	for _, sum := range l.Sums {
		write(sum.Verdict)
	}
	write(ofEveryPage)
	terms := []term{}
	for _, t := range glossary.Localized(l.language).In(text.String()) {
		terms = append(terms, term{t.Name, t.Aliases, t.Meaning, t.Link})
	}
	return terms
}
