package place

import (
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
)

// Kind is a kind of fault.
type Kind struct {
	Name string
	// Sentence says what goes wrong.
	Sentence string

	// of is what the fault applies to, and where the word before the place.
	of    selection
	where string
	// effect completes a rule that applies to one write or event.
	effect func(*format.FaultRule)
}

// Applies says what the fault applies to: each write.
func (k *Kind) Applies() string { return k.of.name }

// selection are the writes or the events to which a kind of fault can apply.
type selection struct {
	name string
	has  func(spot) bool
}

var (
	eachWrite  = selection{"each write", func(s spot) bool { return s.write != nil }}
	eachUpdate = selection{"each update and patch", func(s spot) bool {
		return s.write != nil && (s.write.Verb == "update" || s.write.Verb == "patch")
	}}
	eachEvent = selection{"each watch event", func(s spot) bool { return s.event != nil }}
)

// late is how late a write or an event is. Most caches are behind by milliseconds.
const late = 5 * time.Second

// Kinds lists the kinds of faults, the most telling ones first.
func Kinds() []Kind {
	return []Kind{
		{
			Name: "crash-after-write", of: eachWrite, where: "after", effect: crash(Restart),
			Sentence: "The process crashes right after the write, and starts again 500ms later.",
		},
		{
			Name: "refused-write", of: eachWrite, where: "at", effect: refuse,
			Sentence: "The write fails with an internal error, once.",
		},
		{
			Name: "lost-answer", of: eachWrite, where: "of", effect: lose,
			Sentence: "The write is executed, but its answer is a timeout.",
		},
		{
			Name: "conflict", of: eachUpdate, where: "at", effect: conflict,
			Sentence: "The write fails with a conflict, once.",
		},
		{
			Name: "crash-before-write", of: eachWrite, where: "before", effect: crashBefore(Restart),
			Sentence: "The process crashes before the write is executed, and starts again 500ms later.",
		},
		{
			Name: "missed-event", of: eachEvent, where: "at", effect: func(rule *format.FaultRule) { rule.Expire = true },
			Sentence: "The watch expires at the event, so that the informer learns of the change from its next list.",
		},
		{
			Name: "late-event", of: eachEvent, where: "at", effect: delay,
			Sentence: "The informer receives the event, and all that follow for that resource, 5s late.",
		},
		{
			Name: "late-write", of: eachWrite, where: "at", effect: delay,
			Sentence: "The write reaches the API server 5s late, and the controller waits for its answer.",
		},
	}
}

// crash crashes the process after a write, and starts it again after a while.
func crash(down time.Duration) func(*format.FaultRule) {
	return func(rule *format.FaultRule) { rule.Crash, rule.Restart = true, notation.NewDuration(down) }
}

// crashBefore crashes the process instead of a write.
func crashBefore(down time.Duration) func(*format.FaultRule) {
	return func(rule *format.FaultRule) {
		crash(down)(rule)
		rule.Fail = "ServiceUnavailable"
	}
}

func refuse(rule *format.FaultRule)   { rule.Fail = "InternalError" }
func conflict(rule *format.FaultRule) { rule.Fail = "Conflict" }
func lose(rule *format.FaultRule)     { rule.Fail, rule.AfterCommit = "Timeout", true }
func delay(rule *format.FaultRule)    { rule.Delay = &notation.Delay{Min: late, Max: late} }
