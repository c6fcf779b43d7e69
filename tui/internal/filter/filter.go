// Package filter decides which records of a recording are listed. A filter is a line of words that somebody types: kubestep open
// applies it at every key.
package filter

import (
	"strings"

	"github.com/kubestep/kubestep/sim/recording"
)

// Matcher reports whether a record is listed.
type Matcher func(rec *recording.Recording, seq int64) bool

// Parse reads a filter. A record's line must contain all of its words; actor:, verb:,
// object: and kind: look in one column only, and ! turns a word around.
func Parse(text string) Matcher {
	var terms []Matcher
	for _, word := range strings.Fields(strings.ToLower(text)) {
		word, not := strings.CutPrefix(word, "!")
		if word == "" {
			continue
		}
		term := parseTerm(word)
		if not {
			inner := term
			term = func(rec *recording.Recording, seq int64) bool { return !inner(rec, seq) }
		}
		terms = append(terms, term)
	}
	return func(rec *recording.Recording, seq int64) bool {
		for _, term := range terms {
			if !term(rec, seq) {
				return false
			}
		}
		return true
	}
}

func parseTerm(word string) Matcher {
	column, value, ok := strings.Cut(word, ":")
	in := func(text, part string) bool { return strings.Contains(strings.ToLower(text), part) }
	if ok && value != "" {
		switch column {
		case "actor":
			return func(rec *recording.Recording, seq int64) bool { return in(rec.Actor(seq), value) }
		case "kind":
			return func(rec *recording.Recording, seq int64) bool { return in(string(rec.Kind(seq)), value) }
		case "verb":
			return func(rec *recording.Recording, seq int64) bool { return in(rec.Row(seq).Verb, value) }
		case "object":
			return func(rec *recording.Recording, seq int64) bool { return in(rec.Row(seq).Object, value) }
		}
	}
	return func(rec *recording.Recording, seq int64) bool { return strings.Contains(rec.Words(seq), word) }
}
