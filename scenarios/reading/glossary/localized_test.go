package glossary

import (
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/reading/localization"
)

// TestLocalized holds the glossary of each language to that in English: each term of Kubernetes is found by its name in the language and
// in English, and no word leads to two terms.
func TestLocalized(t *testing.T) {
	for _, tag := range localization.Tags()[1:] {
		language, err := localization.Open(tag)
		if err != nil {
			t.Fatal(err)
		}
		g := Localized(language)
		forms := map[string]string{}
		for at, section := range g.Sections {
			for i, term := range section.Terms {
				if section.Ours {
					continue
				}
				english := english().sections[at].Terms[i]
				for _, word := range []string{term.Name, english.Name} {
					if found, ok := g.Lookup(word); !ok || found.ID.Name != term.ID.Name {
						t.Errorf("%s: %s leads to %q, not to %q", tag, word, found.ID.Name, term.ID.Name)
					}
				}
				for _, form := range strings.Split(language.Term(english.Forms()), ", ") {
					form = strings.ToLower(form)
					if other, taken := forms[form]; taken {
						t.Errorf("%s: %s is a form of %s and of %s", tag, form, other, term.ID.Name)
					}
					forms[form] = term.ID.Name
				}
				if end := term.Meaning[len(strings.TrimRight(term.Meaning, ".。")):]; end == "" || term.Meaning == english.Meaning {
					t.Errorf("%s: %s: the meaning is no sentence: %s", tag, term.ID.Name, term.Meaning)
				}
			}
		}
	}
}

// TestInOtherLanguages finds terms in texts: German compounds and plurals, Chinese without spaces, and English in both.
func TestInOtherLanguages(t *testing.T) {
	for _, test := range []struct{ tag, text, names string }{
		{"de", "Der Controller übernimmt Pods, die keinen Besitzer haben.", "Controller, übernehmen, Pod, Besitzerverweis"},
		{"de", "drei Replikate auf zwei Nodes", "Replikat, Node"},
		{"de", "waiting: 3 available Pods", "verfügbar, Pod"},
		{"zh-cn", "调度器把Pod绑定到节点", "kube-scheduler, Pod, 绑定, 节点"},
		{"zh-cn", "滚动更新", "滚动更新"},
	} {
		language, err := localization.Open(test.tag)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, term := range Localized(language).In(test.text) {
			names = append(names, term.Name)
		}
		if got := strings.Join(names, ", "); got != test.names {
			t.Errorf("in %q: %s, not %s", test.text, got, test.names)
		}
	}
}
