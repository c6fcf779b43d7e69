// Package translations holds the files of scenarios/reading/localization to their originals: it collects the texts that can be translated,
// and says what of a file is missing, stale or left over. The test of the translations uses it, and -rewrite writes what it returns.
package translations

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/language/view"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/library/syllabus"
	"github.com/kubestep/kubestep/scenarios/reading/glossary"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// Original is a text that can be translated, and its place: one, or several with commas between them.
type Original struct{ Place, Text string }

// originals are the texts of a file, each once, with its index and the places at which it is.
type originals struct {
	all    []Original
	index  map[string]int
	placed map[Original]bool
}

// add takes a text, unless there is nothing in it to translate.
func (o *originals) add(place, text string) {
	text = strings.TrimSpace(text)
	if !strings.ContainsFunc(text, unicode.IsLetter) || o.placed[Original{place, text}] {
		return
	}
	if o.index == nil {
		o.index, o.placed = map[string]int{}, map[Original]bool{}
	}
	o.placed[Original{place, text}] = true
	if at, known := o.index[text]; known {
		o.all[at].Place += ", " + place
		return
	}
	o.index[text] = len(o.all)
	o.all = append(o.all, Original{place, text})
}

// OfLesson are the texts of a lesson that comes with kubestep, by its name.
func OfLesson(name string) ([]Original, error) {
	lesson, err := library.Load(name)
	if err != nil {
		return nil, err
	}
	return ofScenario(lesson).all, nil
}

func ofScenario(lesson *format.Scenario) (all originals) {
	all.add("title", lesson.Spec.Title)
	all.add("about", lesson.Background())
	for i, branch := range lesson.Spec.Branches {
		place := fmt.Sprintf("branches[%d].", i)
		all.add(place+"title", branch.Title)
		all.add(place+"about", branch.About)
	}
	for i, step := range lesson.Spec.Steps {
		place := fmt.Sprintf("steps[%d].", i)
		switch v := step.Verb.(type) {
		case *verb.Note:
			all.add(place+"note", v.Text)
		case *verb.Ask:
			all.add(place+"ask.question", v.Question)
			for j, choice := range v.Choices {
				all.add(fmt.Sprintf("%sask.choices[%d]", place, j), choice)
			}
			all.add(place+"ask.answer", v.Answer)
			all.add(place+"ask.explain", v.Explain)
		}
	}
	return all
}

// OfGlossary are the texts of the glossary about Kubernetes, whose terms pages and screens explain. The forms of a term are one text: its
// name first, then the other words that lead to it. What kubestep's own words mean is a matter of its documentation, which is English.
func OfGlossary() []Original {
	var all originals
	for _, section := range glossary.Sections {
		if section.Ours {
			continue
		}
		all.add(section.ID.Name+" title", section.Title)
		for _, term := range section.Terms {
			all.add(term.ID.Name+" forms", term.Forms())
			all.add(term.ID.Name+" meaning", term.Meaning)
		}
	}
	return all.all
}

// calls are the texts that scripts and Go code hand over to be translated: say("...") and language.Page("...").
var calls = regexp.MustCompile(`(?:\bsay|\.Page)\(\s*("(?:[^"\\\n]|\\.)*")`)

// pages are the files with texts of the pages, below the folder of the module.
var pages = []string{
	"scenarios/web/page/*.js", "scenarios/web/page/*/*.js", "scenarios/web/page/*.go", "scenarios/web/teach/*.go", "scenarios/web/export/*.go",
}

// OfPage are the texts of the pages, of the module in a folder: those in scripts and Go code, and the names in tables.
func OfPage(root string) ([]Original, error) {
	var all originals
	all.add("the language in its own words", "English")
	for _, tab := range view.Tabs() {
		all.add("tab", tab.Name)
	}
	for _, unit := range syllabus.Units {
		all.add("unit", unit.Title)
	}
	for _, level := range []string{"beginner", "intermediate", "advanced"} {
		all.add("level of a lesson", level)
	}
	for _, phase := range scene.Phases() {
		all.add("phase of a Pod", phase.Word)
	}
	for _, word := range []string{runner.Pass} {
		all.add("verdict", word)
	}
	for _, pattern := range pages {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			for _, call := range calls.FindAllSubmatch(text, -1) {
				original, err := strconv.Unquote(string(call[1]))
				if err != nil {
					return nil, fmt.Errorf("%s: %s: %w", file, call[1], err)
				}
				if original != strings.TrimSpace(original) {
					return nil, fmt.Errorf("%s: %q begins or ends with a space, which no translator sees", file, original)
				}
				all.add(filepath.Base(file), original)
			}
		}
	}
	return all.all, nil
}
