package fault

import (
	"fmt"
	"io"
	"time"
)

// Set holds the rules of a simulation. It belongs to the engine's goroutine.
type Set struct {
	// Chance draws a number between 0 and 1 for the probability of a rule.
	Chance func(rule string) float64

	rules []*Rule
}

// Add adds a rule. Earlier rules come first.
func (s *Set) Add(r *Rule) { s.rules = append(s.rules, r) }

// Rules lists all rules, including those that have ended.
func (s *Set) Rules() []*Rule { return s.rules }

// End ends the rules of a name, and returns them.
func (s *Set) End(name string) []*Rule {
	var ended []*Rule
	for _, r := range s.rules {
		if r.Name == name && !r.ended {
			r.ended = true
			ended = append(ended, r)
		}
	}
	return ended
}

// Trigger returns the rules of a place that a subject triggers, in order. The last one may decide the result; the rules
// after it are not evaluated.
func (s *Set) Trigger(place Place, now time.Duration, subject Subject) []*Rule {
	var triggered []*Rule
	for _, r := range s.rules {
		if r.Place != place || !s.triggers(r, now, subject) {
			continue
		}
		triggered = append(triggered, r)
		if r.Effect.decides() {
			break
		}
	}
	return triggered
}

// CutsAtOnce reports whether the rule ends all matching streams when it begins, and not at one of their events. A condition
// on objects is about events: streams have no object.
func (r *Rule) CutsAtOnce() bool {
	cuts := r.Effect.Disconnect || r.Effect.Expire || r.Effect.Crash
	return r.Place == Watches && cuts && r.Nth == 0 && r.Match.Condition == ""
}

// Cuts reports whether a rule that cuts at once applies to a stream, and counts the match.
func (r *Rule) Cuts(stream Subject) bool {
	if r.ended || !r.matches(stream) {
		return false
	}
	r.trigger(stream, r.From)
	return true
}

// trigger counts a match that triggers the rule.
func (r *Rule) trigger(subject Subject, now time.Duration) {
	r.triggered++
	r.met = now
	if r.last == nil {
		r.last = map[string]time.Duration{}
	}
	r.last[subject.Actor] = now
}

// WriteState writes how often the rule has applied, for those who compare states.
func (r *Rule) WriteState(w io.Writer) {
	fmt.Fprintln(w, r.Name, r.From, r.ended, r.triggered, r.met, r.outside, r.matched)
}

// triggers counts a match and reports whether it triggers the rule.
func (s *Set) triggers(r *Rule, now time.Duration, subject Subject) bool {
	if r.ended || r.CutsAtOnce() || r.Times > 0 && r.triggered == r.Times || !r.matches(subject) {
		return false
	}
	if now < r.From || r.Until > 0 && now >= r.Until {
		r.outside++
		return false
	}
	r.matched++
	r.met = now
	if r.matched < r.Nth {
		return false
	}
	if r.Probability > 0 && s.Chance(r.Name) >= r.Probability {
		r.skipped++
		return false
	}
	r.trigger(subject, now)
	return true
}

// IsOngoing reports whether the rule has not ended.
func (r *Rule) IsOngoing() bool { return !r.ended }

// IsOver reports whether the rule cannot be triggered any more, from the given time on.
func (r *Rule) IsOver(now time.Duration) bool {
	return r.ended || r.Until > 0 && now >= r.Until || r.Times > 0 && r.triggered == r.Times
}

// Acts reports whether the rule influences what happens at the given time: it holds or delays what triggered it, or it was triggered, may
// be triggered again, and something matched it within the quiet time before. A rule that nothing meets any more does not act, however
// often it may still be triggered.
func (r *Rule) Acts(now, quiet time.Duration) bool {
	switch {
	case r.triggered == 0:
		return false
	case r.holds(now), now < r.met+max(r.Effect.DelayMax, r.Effect.ResponseMax):
		return true
	}
	return now >= r.From && !r.IsOver(now) && now-r.met < quiet
}

// holds reports whether the rule may still hold something.
func (r *Rule) holds(now time.Duration) bool {
	return r.Effect.Hold && r.triggered > 0 && !r.ended && (r.Until == 0 || now < r.Until)
}

// Interferes reports whether the rule, which ends some time, applied to an actor at a time or later and may do so again, or holds
// something of it.
func (r *Rule) Interferes(now time.Duration, actor func(string) bool, since time.Duration) bool {
	if r.holds(now) {
		since = 0
	} else if r.IsOver(now) {
		return false
	}
	return r.Interfered(actor, since)
}

// Interfered reports whether the rule, which ends some time, applied to an actor at a time or later.
func (r *Rule) Interfered(actor func(string) bool, since time.Duration) bool {
	if r.Until == 0 && r.Times == 0 {
		return false
	}
	for name, last := range r.last {
		if actor(name) && last >= since {
			return true
		}
	}
	return false
}
