package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
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
	banned(`goes on`, "continues"),
	banned(`struck|strikes? (in|with|elsewhere|each|at)`, "applied, or applies to"),
	banned(`not so (at|when)`, "false at"),
	banned(`there (is|are) no (such )?(verb|function|variable|node|load|kind|invariant)`, "unknown"),
	banned(`(is )?there twice`, "duplicate"),
	banned(`nobody named`, "unknown"),
	banned(`frozen world|possible worlds?|another world|thousand worlds?|million worlds?|each world`, "simulation, run or seed"),
	banned(`mishaps?`, "fault"),
	banned(`is no [a-z]+ (and|name|time|record|seed|step|trace|scenario|condition|finding|proof)`, "is not a"),
	banned(`where (it|they|two [a-z]+) parts?|first parting|parts? from (its|the)`, "diverge"),
	banned(`the house`, "layout"),
	banned(`nobody (is )?told|is told (by|on|with)|are told|told (by|on) `, "report, or say"),
	banned(`all is well`, "the desired state, or nothing to do"),
	banned(`no disaster|old news|for ever|makes? it right`, "plain words"),
	banned(`the sums`, "the arithmetic"),
	banned(`comes? not|knows? nothing of|knows? not`, "does not"),
	banned(`as (it|they) wants? to be`, "in its desired state"),
	banned(`as long as that lasts`, "until that changes"),
	banned(`behaviour|colours?|licence|favour`, "the American spelling, as in the Kubernetes documentation"),
}

// TestLintWords fails on a word that has a better replacement, in every page and scenario, in every string of the
// program that has more than one word, and in every comment of a Go file.
func TestLintWords(t *testing.T) {
	check := func(path string, lines []string) {
		if path == "docs/reference/glossary.md" {
			return
		}
		for n, line := range lines {
			if path == "scenarios/reading/glossary/en.yaml" && strings.HasPrefix(line, "    not: ") {
				continue
			}
			for _, w := range words {
				if found := w.pattern.FindString(line); found != "" {
					t.Errorf("%s:%d: %q (instead: %s): %s", path, n+1, found, w.instead, strings.TrimSpace(line))
				}
			}
		}
	}
	eachText(t, check)
	eachGoFile(t, func(path string, _ []string) {
		if path == "docs/words_test.go" {
			return
		}
		check(path, comments(t, filepath.Join("..", path)))
		if !strings.HasSuffix(path, "_test.go") {
			check(path, literals(t, filepath.Join("..", path)))
		}
	})
}

// comments are the lines of a Go file with its comments only. Directives such as go:build are not text.
func comments(t *testing.T, path string) []string {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	lines := make([]string, files.File(file.Pos()).LineCount()+1)
	for _, group := range file.Comments {
		for _, comment := range group.List {
			if !strings.HasPrefix(comment.Text, "//go:") {
				for n, line := range strings.Split(comment.Text, "\n") {
					lines[files.Position(comment.Pos()).Line-1+n] += " " + line
				}
			}
		}
	}
	return lines
}

// literals are the lines of a Go file with its string literals only: those of more than one word, at their lines.
func literals(t *testing.T, path string) []string {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	lines := make([]string, files.File(file.Pos()).LineCount()+1)
	ast.Inspect(file, func(node ast.Node) bool {
		if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING && strings.Contains(literal.Value, " ") {
			first := files.Position(literal.Pos()).Line - 1
			for n, line := range strings.Split(literal.Value, "\n") {
				lines[first+n] += " " + line
			}
		}
		return true
	})
	return lines
}

// eachText calls f with every page and every scenario of the project.
func eachText(t *testing.T, f func(path string, lines []string)) {
	t.Helper()
	eachFile(t, []string{".md", ".yaml"}, f)
	eachPage(t, func(file, text string) {
		if file = strings.TrimPrefix(file, "../"); strings.HasPrefix(file, ".") { // eachFile passes over such folders
			f(file, strings.Split(text, "\n"))
		}
	})
}
