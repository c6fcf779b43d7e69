package glossary

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"
)

// Section is a group of terms that belong together.
type Section struct {
	ID    ID
	Title string
	// Ours says that the terms are kubestep's own. Many of them are everyday words, too.
	Ours  bool
	Terms []Term
}

// Term is one word, or a few, with one meaning.
type Term struct {
	ID ID
	// Name is the term as it is written in the middle of a sentence.
	Name string
	// Aliases are other forms: abbreviations, related forms and synonyms. Plurals in s, es and ies need none.
	Aliases []string
	// Meaning is one or two sentences, or a few, without markup.
	Meaning string
	// Link is the page that says more; may be empty.
	Link string
	// View is the view of kubestep that shows it, by the name that the verb show has for it; may be empty.
	View string
	// Not are words that are not used for it.
	Not []string
}

// forms are the name and the aliases.
func (t Term) forms() []string { return append([]string{t.Name}, t.Aliases...) }

// ID names a term or a section in the files of all languages.
type ID struct {
	Name string
	line int
}

// UnmarshalYAML reads the name and remembers the line.
func (id *ID) UnmarshalYAML(node *yaml.Node) error {
	id.line = node.Line
	return node.Decode(&id.Name)
}

// Glossary are the terms in a language, with the forms by which they are found.
type Glossary struct {
	sections []Section
	// found is where each form of a term leads, by the form in lower case.
	found map[string]Term
	// ofKubernetes are the forms of Kubernetes' terms in lower case, the longest first.
	ofKubernetes []string
}

//go:embed en.yaml
var englishFile []byte

// english is read when somebody asks for a term, which most commands do not.
var english = sync.OnceValue(func() *Glossary {
	t, err := read("en.yaml", englishFile)
	if err != nil {
		panic(fmt.Sprintf("glossary: %v", err))
	}
	return t
})

// read reads a file of terms. Its errors have the file and the line.
func read(name string, data []byte) (*Glossary, error) {
	t := &Glossary{found: map[string]Term{}}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(&t.sections); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	ids := map[string]bool{}
	for _, section := range t.sections {
		if err := section.ID.check(ids, section.Title, "title"); err != nil {
			return nil, fmt.Errorf("%s:%w", name, err)
		}
		for _, term := range section.Terms {
			if err := t.add(term, ids, section.Ours); err != nil {
				return nil, fmt.Errorf("%s:%w", name, err)
			}
		}
	}
	t.sort()
	return t, nil
}

// sort puts the longest forms first.
func (t *Glossary) sort() {
	slices.SortFunc(t.ofKubernetes, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
}

// add takes a term, unless something of it is missing or duplicate.
func (t *Glossary) add(term Term, ids map[string]bool, ours bool) error {
	if err := cmp.Or(term.ID.check(ids, term.Name, "name"), term.ID.want(term.Meaning, "meaning")); err != nil {
		return err
	}
	for _, form := range term.forms() {
		form = strings.ToLower(form)
		if other, ok := t.found[form]; ok {
			return fmt.Errorf("%d: %s: %q is a form of %s, too", term.ID.line, term.ID.Name, form, other.ID.Name)
		}
		t.found[form] = term
		if !ours {
			t.ofKubernetes = append(t.ofKubernetes, form)
		}
	}
	return nil
}

var idForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`) })

// check wants an id that nothing else has, and the text that comes with it. Its errors begin with the line.
func (id ID) check(ids map[string]bool, text, field string) error {
	switch {
	case id.Name == "":
		return fmt.Errorf(" the id of %q is missing", text)
	case !idForm().MatchString(id.Name):
		return fmt.Errorf("%d: %q, the id of %q, is not lower-case words with dashes", id.line, id.Name, text)
	case ids[id.Name]:
		return fmt.Errorf("%d: the id %s is duplicate", id.line, id.Name)
	}
	ids[id.Name] = true
	return id.want(text, field)
}

func (id ID) want(text, field string) error {
	if text == "" {
		return fmt.Errorf("%d: %s: the %s is missing", id.line, id.Name, field)
	}
	return nil
}
