package tui_test

import (
	"bytes"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/kubestep/kubestep/sim/simtest/golden"
	"github.com/kubestep/kubestep/tui/command"
)

// pictured is a picture in a page, below the command that makes it and the texts that it must contain, in quotes.
var pictured = regexp.MustCompile(`<!-- kubestep ((?:screenshot|export|explore) .+?)(?: contains: (.+))? -->\n!\[[^]]*\]\(([^)]+\.svg)\)`)

// anyPicture is a picture in a page, of whatever origin.
var anyPicture = regexp.MustCompile(`!\[[^]]*\]\(([^)]+\.(?:svg|png|gif))\)`)

// drawn are pictures that make performance draws from a table of the page; a test of scenarios/performance holds them to it.
var drawn = regexp.MustCompile(`/explanation/images/growth-[a-z]+\.svg$`)

// TestPicturesAreFresh makes the pictures of the documentation again: they are real screens of real runs, and show what the page says
// about them. -rewrite writes them.
func TestPicturesAreFresh(t *testing.T) {
	pages, err := filepath.Glob("../docs/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	pages = append(pages, "../README.md")
	// A picture that two pages show is made, and held to the text, for each of them.
	type use struct{ page, file string }
	made, shown := map[use]bool{}, map[use]bool{}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range anyPicture.FindAllSubmatch(text, -1) {
			shown[use{page, filepath.Join(filepath.Dir(page), string(m[1]))}] = true
		}
		for _, m := range pictured.FindAllSubmatch(text, -1) {
			file := filepath.Join(filepath.Dir(page), string(m[3]))
			picture, content := pictureOf(t, page, words(string(m[1])))
			golden.Compare(t, file, picture)
			made[use{page, file}] = true
			for _, text := range contains(t, page, file, string(m[2])) {
				if !strings.Contains(content, text) {
					t.Errorf("%s: %s does not contain %q, which the page says; it is\n%s", page, file, text, content)
				}
			}
		}
	}
	for picture := range shown {
		if !made[picture] && !drawn.MatchString(picture.file) {
			t.Errorf("%s shows %s, below no command that makes it", picture.page, picture.file)
		}
	}
	if len(made) < 10 {
		t.Errorf("the documentation has %d pictures", len(made))
	}
}

// contains are the texts that a picture must contain.
func contains(t *testing.T, page, file, list string) (texts []string) {
	t.Helper()
	for i, text := range strings.Split(list, `"`) {
		switch {
		case i%2 == 1:
			texts = append(texts, text)
		case strings.TrimSpace(text) != "":
			t.Errorf("%s: %s: %s is not in quotes", page, file, text)
		}
	}
	if len(texts) == 0 {
		t.Errorf("%s: nothing holds the page to %s: write contains: \"TEXT\" at the end of the comment above the picture", page, file)
	}
	return texts
}

// pictureOf is the picture that a command of a page makes, and the texts in it: a screen, or a film or the states of explore, which a
// command writes to a file.
func pictureOf(t *testing.T, page string, args []string) (picture, content string) {
	t.Helper()
	film := filepath.Join(t.TempDir(), "film.svg")
	if to := slices.IndexFunc(args, func(arg string) bool { return arg == "--out" || arg == "--picture" }); to >= 0 {
		args[to+1] = film
		printed(t, page, args)
		text, err := os.ReadFile(film)
		if err != nil {
			t.Fatal(err)
		}
		return string(text), html.UnescapeString(plainly(tag.ReplaceAllString(string(text), " ")))
	}
	return printed(t, page, append(args, "-o", "svg")), plainly(printed(t, page, args))
}

// tag is one of an SVG.
var tag = regexp.MustCompile(`(?s)<style>.*?</style>|<[^>]*>`)

// plainly is a text with single spaces in its lines.
func plainly(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// printed is what a command of a page prints.
func printed(t *testing.T, page string, args []string) string {
	t.Helper()
	var out, errs bytes.Buffer
	code := command.Main(args, command.Options{In: &bytes.Buffer{}, Out: &out, Err: &errs})
	if foundFailures := args[0] == "explore" && code == 1; code != 0 && !foundFailures {
		t.Fatalf("%s: kubestep %s: %s", page, strings.Join(args, " "), errs.String())
	}
	return out.String()
}

// words takes a command apart; quotes keep words together.
func words(line string) []string {
	quoted := false
	var out []string
	word := ""
	for _, r := range line + " " {
		switch {
		case r == '"':
			quoted = !quoted
		case unicode.IsSpace(r) && !quoted:
			if word != "" {
				out = append(out, word)
			}
			word = ""
		default:
			word += string(r)
		}
	}
	return out
}
