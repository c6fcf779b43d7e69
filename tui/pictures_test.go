package tui

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"unicode"

	"github.com/kubestep/kubestep/scenarios/command"
	"github.com/kubestep/kubestep/sim/golden"
)

// pictured is a picture in a page, below the command that makes it.
var pictured = regexp.MustCompile(`<!-- kubestep (screenshot .+) -->\n!\[[^]]*\]\(([^)]+\.svg)\)`)

// TestPicturesAreFresh makes the pictures of the documentation again: they are real screens of real runs.
// -rewrite writes them.
func TestPicturesAreFresh(t *testing.T) {
	pages, err := filepath.Glob("../docs/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pictured.FindAllSubmatch(text, -1) {
			found++
			file := filepath.Join(filepath.Dir(page), string(m[2]))
			var out, errs bytes.Buffer
			streams := command.Streams{In: &bytes.Buffer{}, Out: &out, Err: &errs}
			args := append(words(string(m[1])), "-o", "svg")
			if code := command.Main(args, streams, Commands(streams)...); code != 0 {
				t.Fatalf("%s: kubestep %s: %s", page, m[1], errs.String())
			}
			golden.Compare(t, file, out.String())
		}
	}
	if found < 3 {
		t.Errorf("the documentation has %d pictures", found)
	}
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
