// Package spelling guesses which known word a misspelt one was meant to be. Every error that names what is unknown asks
// it, so that the hint under the error says what to write: scael is scale, set_image is set-image.
package spelling

import "strings"

// Nearest returns the known word that was probably meant, or "". Words that differ only in case, dashes and
// underscores are the same: set_image and setImage are set-image. Otherwise one wrong letter is forgiven for
// every three, counting one more: aply is apply, scael is scale, but web is not ev. The first of equally
// near words wins, so their order must be fixed.
func Nearest(word string, known []string) string {
	best, limit := "", (1+len(word))/3
	for _, candidate := range known {
		if candidate == word {
			continue
		}
		if Same(word, candidate) {
			return candidate
		}
		d := Distance(fold(word), fold(candidate), limit+1)
		if d <= limit && d < len(candidate) && (best == "" || d < limit) {
			best, limit = candidate, d
		}
	}
	return best
}

// Same reports whether two words differ only in case, dashes, underscores and blanks.
func Same(a, b string) bool { return fold(a) == fold(b) && a != "" }

var separators = strings.NewReplacer("-", "", "_", "", " ", "")

func fold(word string) string { return strings.ToLower(separators.Replace(word)) }

// Distance counts the bytes to insert, delete, replace or swap with their neighbor that turn a into b (the restricted
// Damerau-Levenshtein distance). It gives up at limit, so that long texts cost nothing.
func Distance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	before, previous, current := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		current[0] = i
		for j := 1; j <= len(b); j++ {
			replace := previous[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			current[j] = min(replace, previous[j]+1, current[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				current[j] = min(current[j], before[j-2]+1)
			}
		}
		before, previous, current = previous, current, before
	}
	return min(previous[len(b)], limit)
}

// Among is the hint for a word that is not one of the known ones: the nearest of them, or all.
func Among(word string, known []string) string {
	if near := Nearest(word, known); near != "" || len(known) == 0 {
		return near
	}
	if len(known) == 1 {
		return known[0]
	}
	return "one of " + strings.Join(known, ", ")
}
