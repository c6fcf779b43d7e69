package tui

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/kubestep/kubestep/scenarios/format"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/sim/visible"
)

// Entry is a scenario that can be opened. Its texts are fit to be shown.
type Entry struct {
	Name, Title, About string
	// Group is the directory of a shipped scenario; Topic and Level are its labels.
	Group, Topic, Level string
	// File is what kubestep run takes.
	File string
	// Horizon is how long the run is in virtual time.
	Horizon time.Duration
	// Scenario is what File holds, and Source the text of one that no file has.
	Scenario *format.Scenario
	Source   []byte
	// Steps and Checks say in one line each what is done and what must hold. Notes and questions are not
	// among them, so as not to give it away.
	Steps, Checks []string
}

// NewEntry describes a scenario that is read from file.
func NewEntry(s *format.Scenario, file string) Entry {
	e := Entry{
		Name: visible.Line(s.Metadata.Name), Title: visible.Line(s.Spec.Title), About: visible.Text(s.Background()),
		Topic: visible.Line(s.Metadata.Labels["topic"]), Level: visible.Line(s.Metadata.Labels["level"]),
		File: file, Scenario: s, Horizon: s.Spec.Horizon.Duration,
	}
	for _, step := range s.Spec.Steps {
		if step.Verb.Role() != format.Message {
			e.Steps = append(e.Steps, visible.Line(step.Describe()))
		}
	}
	for _, check := range s.Spec.Checks {
		e.Checks = append(e.Checks, visible.Line(check.Describe()))
	}
	return e
}

// Library lists the scenarios that come with kubestep, the easiest first.
func Library() ([]Entry, error) {
	files, err := library.Files()
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for _, file := range files {
		s, err := library.Load(file)
		if err != nil {
			return nil, err
		}
		e := NewEntry(s, file)
		e.Group = path.Dir(file)
		entries = append(entries, e)
	}
	slices.SortStableFunc(entries, func(a, b Entry) int {
		return cmp.Or(
			cmp.Compare(rank(levelOrder, a.Level), rank(levelOrder, b.Level)),
			cmp.Compare(rank(groupOrder, a.Group), rank(groupOrder, b.Group)),
			cmp.Compare(rank(library.Course, a.Name), rank(library.Course, b.Name)),
			cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Name, b.Name))
	})
	return entries, nil
}

// The orders in which a learner meets levels, and within a level the groups.
var (
	levelOrder = []string{"beginner", "intermediate", "advanced", "", "reference"}
	groupOrder = []string{"lessons", "controllers", "bugs"}
)

func rank(order []string, name string) int {
	if i := slices.Index(order, name); i >= 0 {
		return i
	}
	return len(order)
}

// headings say what a level means to a reader.
var headings = map[string]string{
	"beginner": "Start here", "intermediate": "Continue", "advanced": "Look closer",
	"reference": "Reference: what real clusters did", "": "Others",
}

// heading is the title of the part of the list that an entry belongs to.
func (e *Entry) heading() string {
	if text, ok := headings[e.Level]; ok {
		return text
	}
	return e.Level
}

// matches reports whether each word begins a word of the entry: roll finds a rollout, but not a controller.
func (e *Entry) matches(words []string) bool {
	text := strings.ToLower(strings.Join([]string{e.Name, e.Title, e.About, e.Group, e.Topic, e.Level}, " "))
	for _, word := range words {
		if !beginsWord(text, word) {
			return false
		}
	}
	return true
}

// beginsWord reports whether a word of the text begins with the prefix.
func beginsWord(text, prefix string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], prefix)
		if i < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:from+i])
		if !unicode.IsLetter(before) && !unicode.IsDigit(before) {
			return true
		}
		from += i + len(prefix)
	}
}
