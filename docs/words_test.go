package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// word is a pattern that no text for readers holds, with what to write instead. docs/reference/glossary.md has the
// words for our own ideas; the others are turns that the Kubernetes documentation does not use.
type word struct {
	pattern *regexp.Regexp
	instead string
}

// banned makes a word of a pattern that matches whole words in any case.
func banned(pattern, instead string) word {
	return word{regexp.MustCompile(`(?i)\b(` + pattern + `)\b`), instead}
}

var words = []word{
	banned(`anew`, "again, or start over"),
	banned(`(went|gone|going|go) on (with|from|where|when|until|as|again|to the)`, "continue"),
	banned(`mishaps?`, "fault"),
	banned(`is no [a-z]+ (and|name|time|record|seed|step|trace|scenario|condition|finding|proof)`, "is not a"),
	banned(`where (it|they|two [a-z]+) parts?|first parting|parts? from (its|the)`, "diverge"),
	banned(`the house`, "layout"),
	banned(`nobody (is )?told|is told (by|on|with)|are told|told (by|on) `, "report, or say"),
	banned(`all is well`, "the desired state, or nothing to do"),
	banned(`no disaster|old news|for ever|makes? it right`, "plain words"),
	banned(`the sums`, "the arithmetic"),
	banned(`comes? not|knows? nothing of|knows? not`, "does not"),
	banned(`behaviour|colours?|licence|favour`, "the American spelling, as in the Kubernetes documentation"),
}

// generated are the pages whose source are Go strings.
var generated = map[string]bool{
	"docs/reference/keys.md":            true,
	"docs/reference/controllers.md":     true,
	"docs/reference/invariants.md":      true,
	"docs/reference/scenario-format.md": true,
	"docs/reference/expressions.md":     true,
}

// TestLintWords fails on a word that has a better replacement, in every page and scenario.
func TestLintWords(t *testing.T) {
	eachText(t, func(path string, lines []string) {
		if path == "docs/reference/glossary.md" || generated[path] {
			return
		}
		for n, line := range lines {
			for _, w := range words {
				if found := w.pattern.FindString(line); found != "" {
					t.Errorf("%s:%d: %q (instead: %s): %s", path, n+1, found, w.instead, strings.TrimSpace(line))
				}
			}
		}
	})
}

// eachText calls f with every page and every scenario of the project.
func eachText(t *testing.T, f func(path string, lines []string)) {
	t.Helper()
	root := ".."
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "bin") {
			return filepath.SkipDir
		}
		if entry.IsDir() || filepath.Ext(path) != ".md" && filepath.Ext(path) != ".yaml" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		f(filepath.ToSlash(relative), strings.Split(string(text), "\n"))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
