package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	// link is the target of a link or a picture in a page.
	link = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	// code is what a page sets in backquotes, and fence a block of code.
	code  = regexp.MustCompile("`([^`\n]+)`")
	fence = regexp.MustCompile("(?ms)^ *```.*?^ *```$|^(?:    |\t).*?$")
	// ourPath is a path in the repository.
	ourPath = regexp.MustCompile(`^(?:sim|controllers|scenarios|tui|docs|\.github|\.ci)/[\w./*-]*$|^(?:README|LICENSE|Makefile|go)\.?(?:md|mod)?$`)
	// placeholder is a part of a path that stands for many, such as NAME.
	placeholder = regexp.MustCompile(`\b[A-Z]{2,}\b`)
	heading     = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// contributing are the pages for contributors, in which every path is checked, too. The others quote commands and output.
var contributing = []string{".github", "docs/contributing", "docs/decisions", "docs/reference/stability.md", "docs/explanation/architecture.md"}

// eachPage calls f with every page, also those for contributors.
func eachPage(t *testing.T, f func(file, text string)) {
	t.Helper()
	for _, root := range []string{"docs", ".github", "README.md"} {
		err := filepath.WalkDir(filepath.Join("..", root), func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || path.Ext(file) != ".md" {
				return err
			}
			text, err := os.ReadFile(file)
			if err == nil {
				f(filepath.ToSlash(file), string(text))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestLintLinks fails on a link to a file or a heading that does not exist.
func TestLintLinks(t *testing.T) {
	links := 0
	eachPage(t, func(file, text string) {
		for _, found := range link.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
			target, anchor, _ := strings.Cut(found[1], "#")
			if strings.Contains(target, ":") {
				continue
			}
			links++
			to := file
			if target != "" {
				to = path.Join(path.Dir(file), target)
			}
			page, err := os.ReadFile(to)
			if _, missing := os.Stat(to); missing != nil {
				t.Errorf("%s links to %s, which does not exist", file, found[1])
			} else if anchor != "" && err == nil && path.Ext(to) == ".md" && !slices.Contains(anchors(string(page)), anchor) {
				t.Errorf("%s links to %s; %s has no such heading", file, found[1], to)
			}
		}
	})
	if links < 100 {
		t.Errorf("only %d links were found", links)
	}
}

// anchors are the names that GitHub gives to the headings of a page.
func anchors(page string) (names []string) {
	for _, found := range heading.FindAllStringSubmatch(page, -1) {
		name := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
				return r
			}
			return -1
		}, strings.ToLower(found[1]))
		names = append(names, name)
	}
	return names
}

// TestLintPaths fails on a page for contributors that names a file, a folder, a target of make or a test which does not exist.
func TestLintPaths(t *testing.T) {
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	tests := testNames(t)
	target, test := regexp.MustCompile(`\bmake ([a-z0-9-]+)`), regexp.MustCompile(`\bTest[A-Z]\w+`)
	names := 0
	eachPage(t, func(file, text string) {
		if !isUnderAny(strings.TrimPrefix(file, "../"), contributing) {
			return
		}
		for _, found := range target.FindAllStringSubmatch(strings.Join(spans(text), "\n"), -1) {
			if !strings.Contains(string(makefile), "\n"+found[1]+": ") {
				t.Errorf("%s names make %s, which the Makefile does not have", file, found[1])
			}
		}
		for _, found := range code.FindAllStringSubmatch(text, -1) {
			if name := test.FindString(found[1]); name == found[1] && !tests[name] {
				t.Errorf("%s names %s, which does not exist", file, name)
			}
			if !ourPath.MatchString(found[1]) || placeholder.MatchString(path.Base(found[1])) && path.Base(found[1]) != "README.md" {
				continue
			}
			names++
			if matches, err := filepath.Glob(filepath.Join("..", found[1])); err != nil || len(matches) == 0 {
				t.Errorf("%s names %s, which does not exist", file, found[1])
			}
		}
	})
	if names < 100 {
		t.Errorf("only %d paths were found", names)
	}
}

// TestLintNamesInPages fails on an item of a page for contributors that begins with a Go file, and names in code what none of the files in
// that item declares or calls.
func TestLintNamesInPages(t *testing.T) {
	item := regexp.MustCompile("(?m)^\\d+\\. `[\\w/.-]+\\.go`(?:.*\n(?:   .*\n|\n)*)?")
	word := regexp.MustCompile(`^[A-Za-z]\w*(?:\(\))?$`)
	names := 0
	eachPage(t, func(file, text string) {
		if !isUnderAny(strings.TrimPrefix(file, "../"), []string{"docs/contributing"}) {
			return
		}
		for _, step := range item.FindAllString(text, -1) {
			if placeholder.MatchString(path.Base(code.FindStringSubmatch(step)[1])) {
				continue // a file that does not exist yet
			}
			words, named := map[string]bool{}, []string{}
			for _, found := range code.FindAllStringSubmatch(step, -1) {
				switch matches, _ := filepath.Glob(filepath.Join("..", found[1])); {
				case path.Ext(found[1]) == ".go" && len(matches) == 1:
					identifiers(t, matches[0], words)
				case word.MatchString(found[1]):
					named = append(named, strings.TrimSuffix(found[1], "()"))
				}
			}
			for _, name := range named {
				names++
				if !words[name] {
					t.Errorf("%s names %s, which is in none of the files:\n%s", file, name, step)
				}
			}
		}
	})
	if names < 20 {
		t.Errorf("only %d names were found", names)
	}
}

// identifiers adds those of a Go file.
func identifiers(t *testing.T, file string, words map[string]bool) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(node ast.Node) bool {
		if id, ok := node.(*ast.Ident); ok {
			words[id.Name] = true
		}
		return true
	})
}

// spans are what a page sets as code: blocks, and words in backquotes.
func spans(text string) (all []string) {
	return slices.Concat(fence.FindAllString(text, -1), code.FindAllString(text, -1))
}

// testNames are the names of all tests.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	declaration := regexp.MustCompile(`^func (Test\w+)\(`)
	names := map[string]bool{}
	eachGoFile(t, func(file string, lines []string) {
		for _, line := range lines {
			if found := declaration.FindStringSubmatch(line); found != nil && strings.HasSuffix(file, "_test.go") {
				names[found[1]] = true
			}
		}
	})
	return names
}
