// Package localization has the texts that people read in other languages than English: those of lessons, of the glossary, and of the
// pages on which a lesson plays.
//
// English is the original, and stands where it belongs: in the scenarios, in the glossary, in the scripts of the page. The folder of a
// language has a file for each lesson, one for the glossary and one for the pages. They are PO files, the format of gettext, which the
// tools of translators read and write, and which kubectl has for its own messages. A message has the original and its translation:
//
//	#. steps[2].ask.explain
//	msgid "The Deployment controller creates one ReplicaSet. It never creates a Pod."
//	msgstr "Der Deployment-Controller erstellt ein ReplicaSet. Einen Pod erstellt er nie."
//
// The original is the key, so a translation of a text that has changed is not found, and the reader gets the original.
// docs/translations says which ones these are.
//
// A run is the same in all languages: its trace, and so its hash, has the originals. Whoever shows a recording translates the texts of its
// records when they are read (Record, Lines).
package localization

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/chai2010/gettext-go/po"
)

// English is the tag of the originals.
const English = "en"

//go:embed */*.po */lessons/*.po
var files embed.FS

// Language is a language that texts are translated to. Nil is English: it returns each text as it is.
type Language struct {
	// Tag is that of BCP 47 in lower case, as in the addresses of kubernetes.io: de, zh-cn.
	Tag string
	// lessons, terms and page are the translations by their originals.
	lessons, terms, page map[string]string
}

// Tags are those of all languages, English first.
func Tags() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(fmt.Sprintf("localization: %v", err))
	}
	tags := []string{English}
	for _, entry := range entries {
		tags = append(tags, entry.Name())
	}
	return tags
}

// Open finds a language by its tag, in any case. A region, or a script, that has no texts of its own gets those of its language: de-AT is
// de, and zh is zh-cn. English is nil.
func Open(tag string) (*Language, error) {
	wanted := strings.ReplaceAll(strings.ToLower(tag), "_", "-")
	base, _, _ := strings.Cut(wanted, "-")
	tags := Tags()
	at := slices.Index(tags, wanted)
	if at < 0 {
		at = slices.IndexFunc(tags, func(known string) bool {
			of, _, _ := strings.Cut(known, "-")
			return of == base
		})
	}
	switch {
	case at < 0:
		return nil, fmt.Errorf("unknown language %q (one of: %s)", tag, strings.Join(tags, ", "))
	case tags[at] == English:
		return nil, nil
	}
	return read(tags[at])
}

// Of are the languages that have a file for a lesson, without English.
func Of(lesson string) (all []*Language, err error) {
	for _, tag := range Tags()[1:] {
		if !has(tag, lesson) {
			continue
		}
		language, err := read(tag)
		if err != nil {
			return nil, err
		}
		all = append(all, language)
	}
	return all, nil
}

// Has reports whether the language has a file for a lesson.
func (l *Language) Has(lesson string) bool { return l == nil || has(l.Tag, lesson) }

func has(tag, lesson string) bool {
	_, err := fs.Stat(files, path.Join(tag, "lessons", lesson+".po"))
	return err == nil
}

// read reads the files of a language.
func read(tag string) (*Language, error) {
	l := &Language{Tag: tag, lessons: map[string]string{}, terms: map[string]string{}, page: map[string]string{}}
	err := fs.WalkDir(files, tag, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		into := l.lessons
		switch strings.TrimSuffix(strings.TrimPrefix(name, tag+"/"), path.Ext(name)) {
		case Glossary:
			into = l.terms
		case Page:
			into = l.page
		}
		data, err := files.ReadFile(name)
		if err == nil {
			err = fill(into, data)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
	return l, err
}

// The files of a language beside those of its lessons, without the ending.
const (
	Glossary = "glossary"
	Page     = "page"
)

// fill adds the messages of a file. One that is marked as fuzzy is of a text that has changed.
func fill(texts map[string]string, data []byte) error {
	file, err := po.Load(data)
	if err != nil {
		return err
	}
	for i := range file.Messages {
		if m := &file.Messages[i]; m.MsgStr != "" && !m.GetFuzzy() {
			texts[m.MsgId] = m.MsgStr
		}
	}
	return nil
}

// tag is that of the language.
func (l *Language) tag() string {
	if l == nil {
		return English
	}
	return l.Tag
}

// String is the tag, as the attribute lang of a page has it.
func (l *Language) String() string { return l.tag() }

// Name is that of the language in its own words: Deutsch.
func (l *Language) Name() string { return l.Page("English") }

// Lesson translates a text of a lesson.
func (l *Language) Lesson(original string) string {
	if l == nil {
		return original
	}
	return found(l.lessons, original)
}

// Term translates a text of the glossary.
func (l *Language) Term(original string) string {
	if l == nil {
		return original
	}
	return found(l.terms, original)
}

// Page translates a text of the pages.
func (l *Language) Page(original string) string {
	if l == nil {
		return original
	}
	return found(l.page, original)
}

// Pages are the translations of all texts of the pages by their originals, for a script; nil for English.
func (l *Language) Pages() map[string]string {
	if l == nil {
		return nil
	}
	return l.page
}

func found(texts map[string]string, original string) string {
	if text, ok := texts[strings.TrimSpace(original)]; ok {
		return text
	}
	return original
}
