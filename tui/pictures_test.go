package tui

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/kubestep/kubestep/scenarios/command"
	"github.com/kubestep/kubestep/sim/golden"
)

// pictured is a picture in a page, below the command that makes it.
var pictured = regexp.MustCompile(`<!-- kubestep ((?:screenshot|export) .+) -->\n!\[[^]]*\]\(([^)]+\.svg)\)`)

// TestPicturesAreFresh makes the pictures of the documentation again: they are real screens of real runs.
// -rewrite writes them.
func TestPicturesAreFresh(t *testing.T) {
	pages, err := filepath.Glob("../docs/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	pages = append(pages, "../README.md")
	found := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pictured.FindAllSubmatch(text, -1) {
			found++
			file := filepath.Join(filepath.Dir(page), string(m[2]))
			golden.Compare(t, file, pictureOf(t, page, words(string(m[1]))))
		}
	}
	if found < 3 {
		t.Errorf("the documentation has %d pictures", found)
	}
}

// pictureOf is the picture that a command of a page makes: a screen, or a film, which a command writes to a file.
func pictureOf(t *testing.T, page string, args []string) string {
	t.Helper()
	var out, errs bytes.Buffer
	streams := command.Streams{In: &bytes.Buffer{}, Out: &out, Err: &errs}
	film := filepath.Join(t.TempDir(), "film.svg")
	if to := slices.Index(args, "--out"); to >= 0 {
		args[to+1] = film
	} else {
		args = append(args, "-o", "svg")
	}
	if code := command.Main(args, streams, Commands(streams)...); code != 0 {
		t.Fatalf("%s: kubestep %s: %s", page, strings.Join(args, " "), errs.String())
	}
	if text, err := os.ReadFile(film); err == nil {
		return string(text)
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
