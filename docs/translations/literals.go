package translations

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// visible are the places of a script at which a literal is read: the name, the title or the label of an element, and a text in it.
var visible = []*regexp.Regexp{
	regexp.MustCompile(`(?:"aria-label"|\btitle|placeholder): ("(?:[^"\\\n]|\\.)*")`),
	regexp.MustCompile(`\bh\("[a-z0-9]+", \{[^{}]*\}, ("(?:[^"\\\n]|\\.)*")`),
}

// prose is a literal of several words, which people read wherever it is.
var (
	literal = regexp.MustCompile(`(say\(\s*|class: |" \+ )?("(?:[^"\\\n]|\\.)*")`)
	prose   = regexp.MustCompile(`^[^=:#.()\[\]<>{}]*\pL{2,} \pL{2,}[^=#()\[\]<>{}]*[.?…!]?$`)
	word    = regexp.MustCompile(`\pL{2,}`)
)

// Unsaid are the literals in the scripts of the pages that a reader sees and that no catalog has: those that are not an argument of say.
func Unsaid(root string) (found []string, err error) {
	for _, folder := range []string{"player", "class"} {
		files, err := filepath.Glob(filepath.Join(root, "scenarios", "web", "page", folder, "*.js"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			for number, line := range strings.Split(string(text), "\n") {
				for _, unsaid := range unsaid(line) {
					found = append(found, fmt.Sprintf("%s/%s:%d: %q", folder, filepath.Base(file), number+1, unsaid))
				}
			}
		}
	}
	return found, nil
}

// unsaid are those of a line.
func unsaid(line string) (found []string) {
	if strings.HasPrefix(strings.TrimSpace(line), "//") {
		return nil
	}
	for _, place := range visible {
		for _, match := range place.FindAllStringSubmatch(line, -1) {
			if text, err := strconv.Unquote(match[1]); err == nil && word.MatchString(text) {
				found = append(found, text)
			}
		}
	}
	for _, match := range literal.FindAllStringSubmatch(line, -1) {
		if text, err := strconv.Unquote(match[2]); err == nil && match[1] == "" && prose.MatchString(text) {
			found = append(found, text)
		}
	}
	return found
}
