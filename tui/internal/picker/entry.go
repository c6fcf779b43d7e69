package picker

import (
	"fmt"
	"path"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/kubestep/kubestep/scenarios/explore/keyframe"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/library/syllabus"
	"github.com/kubestep/kubestep/scenarios/reading/localization"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace/visible"
)

// Entry is a scenario that can be opened. Its texts are fit to be shown.
type Entry struct {
	Name, Title, About string
	// Group is the directory of a shipped scenario; Topic and Level are its labels.
	Group, Topic, Level string
	// Unit is the heading of the unit of a lesson, and Number its place in the course; empty for others.
	Unit, Number string
	// File is what kubestep run takes, and Trace the file of a recording that is read instead of a run.
	File, Trace string
	// Horizon is how long the run is in virtual time.
	Horizon time.Duration
	// Scenario is what File holds, and Source the text of one that no file has.
	Scenario *format.Scenario
	Source   []byte
	// Keyframes are those of the run of File, and nil for a trace. A branch of that run, which is in Source, is the same until a virtual
	// time: Past is the recording of the run.
	Keyframes *keyframe.Frames
	Past      *recording.Recording
	Until     time.Duration
	// Base is the text of the run that has the keyframes, if it was not made to be shown: Past is that of a session.
	Base []byte
	// Language is that in which its texts and those of its recording are shown; nil for English.
	Language *localization.Language
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

// In is the entry in a language.
func (e Entry) In(language *localization.Language) Entry {
	e.Language, e.Title, e.About = language, language.Lesson(e.Title), language.Lesson(e.About)
	return e
}

// Library lists the scenarios that come with kubestep in the order of kubestep list: the course first.
func Library(language *localization.Language) ([]Entry, error) {
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
		e := NewEntry(s, file).In(language)
		e.Group = path.Dir(file)
		if lesson, found := syllabus.Find(e.Name); found {
			e.Unit, e.Number = unitHeading(lesson), lesson.Number
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// unitHeading is the title of the part of the list with the lessons of a unit.
func unitHeading(lesson syllabus.Lesson) string {
	return fmt.Sprintf("Lessons, unit %d: %s", lesson.Unit, lesson.UnitTitle)
}

// headings say what a group is to a reader. That of a folder below one of them adds its name.
var headings = map[string]string{
	"lessons": "Lessons", "controllers": "Controllers", "bugs": "Bugs and surprises",
	"conformance": "Conformance: what real clusters did", "": "Others",
}

// heading is the title of the part of the list that an entry belongs to.
func (e *Entry) heading() string {
	if e.Unit != "" {
		return e.Unit
	}
	group, folder, _ := strings.Cut(e.Group, "/")
	text, ok := headings[group]
	if !ok {
		text = group
	}
	if folder != "" {
		text += ": " + folder
	}
	return text
}

// matches reports whether each word begins a word of the entry or of its steps: roll finds a rollout, but not a controller.
func (e *Entry) matches(words []string) bool {
	fields := []string{e.Name, e.Title, e.About, e.Number, e.Unit, e.Group, e.Topic, e.Level}
	text := strings.ToLower(strings.Join(append(fields, e.Steps...), " "))
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
