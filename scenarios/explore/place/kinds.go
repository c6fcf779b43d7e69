package place

import (
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
)

// Kind is a kind of fault.
type Kind struct {
	Name string
	// Sentence says what goes wrong, and Applies to what.
	Sentence, Applies string

	// where is the word before the place.
	where string
	// write and event are the rule for a write or an event; only one of them is set. fits, if set, chooses among the writes.
	write func(*Write) format.FaultRule
	event func(*Event) format.FaultRule
	fits  func(*Write) bool
}

// late is how late a write or an event is. Most caches are behind by milliseconds.
const late = 5 * time.Second

// Kinds lists the kinds of faults, the most telling ones first.
func Kinds() []Kind {
	return []Kind{
		{
			Name: "crash-after-write", Applies: "each write", where: "after",
			Sentence: "The process crashes right after the write, and starts again 500ms later.",
			write:    func(w *Write) format.FaultRule { return w.Crash(Restart) },
		},
		{
			Name: "refused-write", Applies: "each write", where: "at",
			Sentence: "The write fails with an internal error, once.",
			write:    (*Write).Refuse,
		},
		{
			Name: "lost-answer", Applies: "each write", where: "of",
			Sentence: "The write is executed, but its answer is a timeout.",
			write:    (*Write).Lose,
		},
		{
			Name: "conflict", Applies: "each update and patch", where: "at",
			Sentence: "The write fails with a conflict, once.",
			write:    (*Write).Conflict, fits: func(w *Write) bool { return w.Verb == "update" || w.Verb == "patch" },
		},
		{
			Name: "crash-before-write", Applies: "each write", where: "before",
			Sentence: "The process crashes before the write is executed, and starts again 500ms later.",
			write:    func(w *Write) format.FaultRule { return w.CrashBefore(Restart) },
		},
		{
			Name: "missed-event", Applies: "each watch event", where: "at",
			Sentence: "The watch expires at the event, so that the informer learns of the change from its next list.",
			event: func(e *Event) format.FaultRule {
				rule := e.rule()
				rule.Expire = true
				return rule
			},
		},
		{
			Name: "late-event", Applies: "each watch event", where: "at",
			Sentence: "The informer receives the event, and all that follow for that resource, 5s late.",
			event: func(e *Event) format.FaultRule {
				rule := e.rule()
				rule.Delay = &notation.Delay{Min: late, Max: late}
				return rule
			},
		},
		{
			Name: "late-write", Applies: "each write", where: "at",
			Sentence: "The write reaches the API server 5s late, and the controller waits for its answer.",
			write: func(w *Write) format.FaultRule {
				rule := w.Rule()
				rule.Delay = &notation.Delay{Min: late, Max: late}
				return rule
			},
		},
	}
}
