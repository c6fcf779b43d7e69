package localization

import (
	"strings"
	"testing"

	"github.com/kubestep/kubestep/sim/trace"
)

// TestOpen finds languages by tags as people write them.
func TestOpen(t *testing.T) {
	for tag, want := range map[string]string{
		"en": "en", "en-US": "en", "de": "de", "DE": "de", "de-AT": "de", "de_CH": "de", "zh": "zh-cn", "zh-CN": "zh-cn", "zh-Hans": "zh-cn",
	} {
		language, err := Open(tag)
		if err != nil || language.String() != want {
			t.Errorf("%s: %v, %v, not %s", tag, language, err, want)
		}
	}
	for _, tag := range []string{"", "fr", "../de", "deutsch"} {
		if _, err := Open(tag); err == nil || !strings.HasSuffix(err.Error(), "(one of: en, de, zh-cn)") {
			t.Errorf("%q: %v", tag, err)
		}
	}
}

// TestLines translates the texts of a scenario in a trace and leaves all other bytes as they are.
func TestLines(t *testing.T) {
	german, err := Open("de")
	if err != nil {
		t.Fatal(err)
	}
	ask := &trace.Record{Seq: 2, Kind: trace.KindAsk, Ask: &trace.Ask{
		Step: 2, Question: "The API server has stored the Deployment, and nothing else exists. Who creates the Pods?",
		Choices: []string{"the kubelet", "somebody else"},
	}}
	other := `{"seq":3,"at":5, "kind":"action"}` + "\n"
	text := string(ask.Line()) + other + `{"kind":"note"`
	got := string(german.Lines([]byte(text)))
	for _, part := range []string{`"step":2,"question":"Der API-Server hat`, `"das Kubelet","somebody else"`, "}\n" + other, "\n" + `{"kind":"note"`} {
		if !strings.Contains(got, part) {
			t.Errorf("%s is not in\n%s", part, got)
		}
	}
	var english *Language
	if got := string(english.Lines([]byte(text))); got != text {
		t.Errorf("English is changed: %s", got)
	}
	if ask.Ask.Choices[0] != "the kubelet" {
		t.Error("the record itself is changed")
	}
}

// TestEachLanguageCanBeRead reads all files.
func TestEachLanguageCanBeRead(t *testing.T) {
	for _, tag := range Tags()[1:] {
		language, err := Open(tag)
		if err != nil {
			t.Fatal(err)
		}
		if len(language.lessons) < 200 || len(language.page) < 200 || len(language.terms) < 300 {
			t.Errorf("%s has %d texts of lessons, %d of pages and %d of terms", tag, len(language.lessons), len(language.page), len(language.terms))
		}
	}
}
