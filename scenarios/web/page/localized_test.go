package page_test

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/library/syllabus"
	"github.com/kubestep/kubestep/scenarios/reading/localization"
	"github.com/kubestep/kubestep/scenarios/web/export"
	"github.com/kubestep/kubestep/scenarios/web/internal/browsertest"
	"github.com/kubestep/kubestep/scenarios/web/page"
)

// inLanguage is the page of a lesson as kubestep export makes it.
func inLanguage(t *testing.T, name, tag string) *page.Lesson {
	t.Helper()
	language, err := localization.Open(tag)
	if err != nil {
		t.Fatal(err)
	}
	lesson, err := export.Lesson(t.Context(), cli.Streams{Out: io.Discard, Err: io.Discard}, name, language)
	if err != nil {
		t.Fatal(err)
	}
	return lesson
}

// TestLanguagesShowTheSameRun compares the lessons of the first unit in each language with those in English: the trace is the same to
// the last byte, the film to the last beat, and a question has as many choices, of which the same letter is right.
func TestLanguagesShowTheSameRun(t *testing.T) {
	for _, of := range syllabus.Units[0].Lessons {
		if !slices.Contains(library.Course, of.Name) {
			continue
		}
		english := inLanguage(t, of.Name, localization.English)
		for _, tag := range localization.Tags()[1:] {
			if problem := differs(english, inLanguage(t, of.Name, tag)); problem != "" {
				t.Errorf("%s in %s: %s", of.Name, tag, problem)
			}
		}
	}
}

// differs is what of a lesson in another language is not as in English; empty if all is.
func differs(english, other *page.Lesson) string {
	switch asked, also := english.Questions(), other.Questions(); {
	case english.Hash == "" || other.Hash != english.Hash:
		return fmt.Sprintf("its hash is %s, not %s", other.Hash, english.Hash)
	case len(other.Beats) != len(english.Beats) || other.Length() != english.Length():
		return fmt.Sprintf("%d beats take %s, not %d %s", len(other.Beats), other.Length(), len(english.Beats), english.Length())
	case other.Title == english.Title || other.About == english.About:
		return "its title or its introduction is English"
	case len(asked) != len(also):
		return fmt.Sprintf("it asks %d questions, not %d", len(also), len(asked))
	default:
		for i, q := range asked {
			right, also := slices.Index(q.Choices, q.Answer), also[i]
			if len(also.Choices) != len(q.Choices) || slices.Index(also.Choices, also.Answer) != right {
				return fmt.Sprintf("question %d has the choices %q and the answer %q", i+1, also.Choices, also.Answer)
			}
			if also.Text == q.Text {
				return fmt.Sprintf("question %d is English", i+1)
			}
		}
	}
	return ""
}

// texts are what a reader of a page sees of the page itself, or hears: texts, labels, titles and placeholders.
const texts = `JSON.stringify([...new Set([...document.querySelectorAll("body, body *:not(script)")].flatMap((e) => [
	...[...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data.trim()),
	e.getAttribute("aria-label"), e.getAttribute("title"), e.getAttribute("placeholder")]).filter(Boolean))])`

// TestGermanPageIsGerman looks at all views of a page in German, at its questions, its end and its glossary: no text of the page itself is
// there in English. What kubestep says of the run is.
func TestGermanPageIsGerman(t *testing.T) {
	language, err := localization.Open("de")
	if err != nil {
		t.Fatal(err)
	}
	b := browsertest.Open(t, 1280, 900)
	visit(b, written(t, inLanguage(t, "create", "de")), "")
	if got := b.Ask("document.documentElement.lang"); got != "de" {
		t.Errorf("the page is in the language %q", got)
	}
	seen := 0
	look := func(where string) {
		var shown []string
		if err := json.Unmarshal([]byte(b.Ask(texts)), &shown); err != nil {
			t.Fatal(err)
		}
		seen += len(shown)
		for english, german := range language.Pages() {
			// The name of a kind is one in both languages, and a cell of the recording may say the same as a heading.
			if english != german && len(strings.Fields(english)) > 1 && slices.Contains(shown, english) {
				t.Errorf("%s says %q, not %q", where, english, german)
			}
		}
	}
	views := func(where string) {
		for _, key := range []string{"0", "1", "2", "3", "4", "5", "7", "8"} {
			b.Do(chromedp.KeyEvent(key))
			look(where + ", view " + key)
		}
	}
	views("the begin")
	for i := range 3 {
		b.Do(chromedp.KeyEvent(kb.End))
		views(fmt.Sprintf("question %d", i+1))
		b.Do(chromedp.KeyEvent("a"), chromedp.WaitVisible(`[aria-label="Antwort"]`))
		views(fmt.Sprintf("answer %d", i+1))
	}
	b.Do(chromedp.KeyEvent(kb.End))
	b.Says("[aria-label=Ende]", "von 3 richtig")
	views("the end")
	b.Do(chromedp.KeyEvent("K"))
	look("the glossary")
	b.Says(".glossary", "Der Computer, virtuell oder physisch")
	if seen < 1000 {
		t.Errorf("the test has seen %d texts only", seen)
	}
}
