package translations

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// before is a file whose originals have changed since.
const before = `msgid ""
msgstr ""
"Language: de\n"
"Content-Type: text/plain; charset=UTF-8\n"

#. title
msgid "Pods"
msgstr "Pods"

#. steps[0].note
msgid "Three Pods run."
msgstr "Drei Pods laufen."

#. steps[1].note
msgid "They stop\n"
"slowly."
msgstr "Sie enden langsam."

#. steps[2].note
msgid "The \"end\"."
msgstr "Das „Ende“."
`

// TestRefresh keeps what is as it was, also at another place; marks what has changed, with the original of before; adds what is new, and
// removes what is gone. What it has written, it reads again.
func TestRefresh(t *testing.T) {
	originals := []Original{{"title", "Pods"}, {"steps[0].note", "Four Pods run."}, {"steps[2].note", "They stop\nslowly."}, {"steps[3].note", "New."}}
	fresh, problems, err := Refresh("de", []byte(before), originals)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`steps[0].note: the original changed: "Four Pods run." was "Three Pods run."`,
		`steps[3].note: no translation of "New."`,
		`steps[2].note: left over: "The \"end\"." is not there any more`,
	}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for _, part := range []string{
		"#. steps[0].note\n#, fuzzy\n#| msgid \"Three Pods run.\"\nmsgid \"Four Pods run.\"\nmsgstr \"Drei Pods laufen.\"\n",
		"#. steps[2].note\nmsgid \"They stop\\n\"\n\"slowly.\"\nmsgstr \"Sie enden langsam.\"\n", "msgid \"New.\"\nmsgstr \"\"\n",
	} {
		if !strings.Contains(string(fresh), part) {
			t.Errorf("this is missing:\n%s\nin\n%s", part, fresh)
		}
	}
	again, problems, err := Refresh("de", fresh, originals)
	if err != nil || string(again) != string(fresh) || !slices.Equal(problems, want[:2]) {
		t.Errorf("again: %v, %q\n%s", err, problems, cmp.Diff(string(fresh), string(again)))
	}
	done := strings.Replace(string(fresh), "#, fuzzy\n#| msgid \"Three Pods run.\"\n", "", 1)
	if _, problems, _ = Refresh("de", []byte(done), originals); len(problems) != 1 {
		t.Errorf("a translation that somebody has looked at: %q", problems)
	}
	lost := "msgid \"{n} of {of}\"\nmsgstr \"{n} von\"\n"
	want = []string{`clock: "{n} von" has other values than "{n} of {of}"`}
	if _, problems, _ = Refresh("de", []byte(lost), []Original{{"clock", "{n} of {of}"}}); !slices.Equal(problems, want) {
		t.Errorf("a translation without a value: %q", problems)
	}
}

// TestUnsaid finds texts in a script that say does not get.
func TestUnsaid(t *testing.T) {
	for line, want := range map[string]string{
		`h("button", { class: "main", onclick: play }, "Continue"),`: "Continue",
		`{ class: "panel card", "aria-label": "question" },`:         "question",
		`said === "" ? "You skipped this question. " : said,`:        "You skipped this question. ",
		`h("button", { class: "main" }, say("Continue"))`:            "",
		`said ? say("You skipped this question.") : "tone-" + said`:  "",
		`h("small", { class: "opinion tone-ready" }, [text])`:        "",
		`{ class: "panel glossary", "aria-label": say("glossary") }`: "",
		`// "This is a comment of several words"`:                    "",
		`document.querySelector("dialog[open]")`:                     "",
	} {
		if got := strings.Join(unsaid(line), " | "); got != want {
			t.Errorf("%s\nhas %q, not %q", line, got, want)
		}
	}
}

// TestScriptsSayTheirTexts holds the scripts of the pages to it.
func TestScriptsSayTheirTexts(t *testing.T) {
	found, err := Unsaid("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range found {
		t.Errorf("%s is not a text of the catalog: say(...)", text)
	}
}
