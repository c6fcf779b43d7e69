package glob_test

import (
	"testing"

	"github.com/kubestep/kubestep/sim/cluster/glob"
)

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		matches       bool
	}{
		{"web:v1", "web:v1", true},
		{"web:v1", "web:v10", false},
		{"web:v?", "web:v1", true},
		{"web:v?", "web:v", false},
		{"*:broken", "registry.example.com/team/web:broken", true},
		{"registry/*/web:*", "registry/a/b/web:v1", true},
		{"*", "", true},
		{"", "", true},
		{"", "web", false},
		{"a*b*c", "aXXbYYbZc", true},
		{"a*b*c", "acb", false},
		{"web[1]", "web[1]", true},
		{"web[1]", "web1", false},
		{"ü?", "üß", true},
	} {
		if glob.Matches(c.pattern, c.text) != c.matches {
			t.Errorf("%q and %q: not %t", c.pattern, c.text, c.matches)
		}
	}
	if !glob.MatchesImage("web", "web:latest") || !glob.MatchesImage("web:latest", "web") || glob.MatchesImage("web", "web:v1") {
		t.Error("web and web:latest are one image")
	}
}

// TestCovers compares with all short texts: a glob that covers another one matches each text that the other one matches.
func TestCovers(t *testing.T) {
	globs, texts := words("ab*?", 3), words("abc", 5)
	covers := 0
	for _, pattern := range globs {
		for _, other := range globs {
			if !glob.Covers(pattern, other) {
				continue
			}
			covers++
			for _, text := range texts {
				if glob.Matches(other, text) && !glob.Matches(pattern, text) {
					t.Errorf("%q covers %q, which also matches %s", pattern, other, text)
				}
			}
		}
	}
	t.Log(covers, "of", len(globs)*len(globs))
	for _, c := range [][2]string{
		{"web", "web:latest"}, {"*", "web:v?"}, {"web:*", "web:v1"}, {"web:*", "web:*"}, {"*:v?", "*/web:v1"}, {"?*", "*?"}, {"*?*", "??"},
	} {
		if !glob.CoversImage(c[0], c[1]) {
			t.Errorf("%q does not cover %q", c[0], c[1])
		}
	}
	if glob.CoversImage("web:v?", "web:*") || glob.CoversImage("web:v1", "web:v?") {
		t.Error("a glob covers another one that matches more")
	}
}

// words are all texts of some letters up to a length.
func words(letters string, length int) []string {
	all := []string{""}
	for last := all; length > 0; length-- {
		var longer []string
		for _, word := range last {
			for _, letter := range letters {
				longer = append(longer, word+string(letter))
			}
		}
		all, last = append(all, longer...), longer
	}
	return all
}
