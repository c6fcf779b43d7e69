package docs_test

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/docs/translations"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/library/syllabus"
	"github.com/kubestep/kubestep/scenarios/reading/localization"
	"github.com/kubestep/kubestep/sim/simtest/golden"
)

const localized = "../scenarios/reading/localization"

// TestTranslations holds each file of each language to its originals. A language has the pages, the glossary and the lessons of the first
// unit, each of them complete; of the other lessons, it has those that somebody translated. -rewrite writes the files again: it adds what is
// missing, and marks as fuzzy what is stale.
func TestTranslations(t *testing.T) {
	for _, tag := range languages(t) {
		for _, name := range filesOf(t, tag) {
			originals := originalsOf(t, name)
			file := filepath.Join(localized, tag, filepath.FromSlash(name)+".po")
			text, err := os.ReadFile(file)
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			fresh, problems, err := translations.Refresh(tag, text, originals)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			for _, problem := range problems {
				t.Errorf("%s: %s: %s", tag, name, problem)
			}
			golden.Compare(t, file, string(fresh))
		}
	}
}

// languages are the folders of package localization.
func languages(t *testing.T) (tags []string) {
	t.Helper()
	entries, err := os.ReadDir(localized)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.IsDir() {
			tags = append(tags, entry.Name())
		}
	}
	if len(tags) == 0 {
		t.Fatal("there is no language")
	}
	return tags
}

// filesOf are the files that a language has to have, and those that it has besides.
func filesOf(t *testing.T, tag string) (names []string) {
	t.Helper()
	names = []string{localization.Page, localization.Glossary}
	for _, lesson := range syllabus.Units[0].Lessons {
		names = append(names, "lessons/"+lesson.Name)
	}
	there, err := filepath.Glob(filepath.Join(localized, tag, "lessons", "*.po"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range there {
		if name := "lessons/" + strings.TrimSuffix(filepath.Base(file), ".po"); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func originalsOf(t *testing.T, name string) (originals []translations.Original) {
	t.Helper()
	var err error
	switch lesson := path.Base(name); {
	case name == localization.Page:
		originals, err = translations.OfPage("..")
	case name == localization.Glossary:
		originals = translations.OfGlossary()
	case !slices.Contains(library.Course, lesson):
		t.Errorf("%s: %s is not a lesson of the course", name, lesson)
	default:
		originals, err = translations.OfLesson(lesson)
	}
	if err != nil {
		t.Fatal(err)
	}
	return originals
}
