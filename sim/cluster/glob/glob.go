// Package glob matches names, such as those of images, against globs: * is any text, including slashes, since the repository part of an
// image has some, and ? is any character.
package glob

import (
	"slices"
	"strings"
)

const (
	anyText      = '*'
	anyCharacter = '?'
)

// Matches reports whether a glob matches a text.
func Matches(pattern, text string) bool { return covers([]rune(pattern), []rune(text), false) }

// MatchesImage is Matches for images: web:latest and web are one image.
func MatchesImage(pattern, image string) bool {
	return Matches(strings.TrimSuffix(pattern, latest), strings.TrimSuffix(image, latest))
}

const latest = ":latest"

// CoversImage reports whether a glob of images matches all that another one matches.
func CoversImage(pattern, other string) bool {
	return Covers(strings.TrimSuffix(pattern, latest), strings.TrimSuffix(other, latest))
}

// Covers reports whether a glob matches all that another one matches. It may be false if only the lengths of the texts tell that, as with
// ??* and *a?.
func Covers(pattern, other string) bool { return covers(sorted(pattern), sorted(other), true) }

// sorted puts the question marks before the asterisks beside them: *? and ?* match the same texts.
func sorted(pattern string) []rune {
	out := []rune(pattern)
	for from := 0; from < len(out); from++ {
		to := from
		for to < len(out) && (out[to] == anyText || out[to] == anyCharacter) {
			to++
		}
		slices.SortFunc(out[from:to], func(a, b rune) int { return int(b - a) }) // ? is after * in ASCII
		from = max(from, to-1)
	}
	return out
}

// covers reports whether a pattern covers a text, whose characters are wildcards if it is a glob. row[n] says whether the part of the
// pattern so far covers the first n characters.
func covers(pattern, text []rune, isGlob bool) bool {
	row := make([]bool, len(text)+1)
	row[0] = true
	for _, p := range pattern {
		next := make([]bool, len(text)+1)
		next[0] = p == anyText && row[0]
		for n, t := range text {
			switch {
			case p == anyText:
				next[n+1] = row[n+1] || next[n]
			case isGlob && t == anyText:
			default:
				next[n+1] = row[n] && (p == anyCharacter || p == t)
			}
		}
		row = next
	}
	return row[len(text)]
}
