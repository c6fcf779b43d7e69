package export

import (
	"fmt"
	"testing"

	"github.com/kubestep/kubestep/scenarios/reading/localization"
	"github.com/kubestep/kubestep/scenarios/web/internal/catalog"
	"github.com/kubestep/kubestep/scenarios/web/page"
)

// TestLinks holds that the page of a lesson leads to itself in all other languages, to the list of all lessons, and to the next lesson: in
// the same language, or in English where that has no other.
func TestLinks(t *testing.T) {
	languages, err := localization.Of("create")
	if err != nil || len(languages) < 2 || languages[0].Name() != "Deutsch" {
		t.Fatalf("create is in the languages %v: %v", languages, err)
	}
	of := &catalog.Entry{Name: "create", Unit: "1. Workloads"}
	rolling := &catalog.Entry{Name: "rolling-update", Title: "A rolling update of ten replicas"}
	for _, test := range []struct {
		in   *localization.Language
		next *catalog.Entry
		want string
	}{
		{nil, rolling, "index.html Course, rolling-update.html, [{de Deutsch de/create.html} {zh-cn 简体中文 zh-cn/create.html}]"},
		{languages[0], rolling, "../index.html Kurs, rolling-update.html, [{en English ../create.html} {zh-cn 简体中文 ../zh-cn/create.html}]"},
		{languages[0], &catalog.Entry{Name: "drain"},
			"../index.html Kurs, ../drain.html, [{en English ../create.html} {zh-cn 简体中文 ../zh-cn/create.html}]"},
	} {
		var lesson page.Lesson
		leads(&lesson, of, test.next, languages, test.in)
		if got := fmt.Sprintf("%s %s, %s, %v", lesson.Up, lesson.UpTitle, lesson.Next, lesson.Translations); got != test.want {
			t.Errorf("in %s, a page leads to\n%s, not\n%s", test.in, got, test.want)
		}
	}
	if none, err := localization.Of("no-such-lesson"); len(none) > 0 || err != nil {
		t.Errorf("a lesson that nobody has translated is in %v: %v", none, err)
	}
}
