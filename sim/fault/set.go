package fault

import (
	"slices"
	"time"
)

// Set holds the rules of a world. It belongs to the engine's goroutine.
type Set struct {
	// Chance draws a number from 0 to 1 for the probability of a rule.
	Chance func(rule string) float64

	rules []*Rule
}

// Add makes a rule hold. Earlier rules come first.
func (s *Set) Add(r *Rule) { s.rules = append(s.rules, r) }

// Rules lists all rules, also those that ended.
func (s *Set) Rules() []*Rule { return s.rules }

// End makes the rules of a name strike no more, and returns them.
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

// Strike asks the rules of a place about a subject. It returns those that strike, in order; the last one may
// decide what happens, and rules behind that are not asked.
func (s *Set) Strike(place Place, now time.Duration, subject Subject) []*Rule {
	var struck []*Rule
	for _, r := range s.rules {
		if r.Place != place || !s.strikes(r, now, subject) {
			continue
		}
		struck = append(struck, r)
		if r.Effect.decides() {
			break
		}
	}
	return struck
}

// strikes counts a match and says whether the rule strikes.
func (s *Set) strikes(r *Rule, now time.Duration, subject Subject) bool {
	if r.ended || r.Times > 0 && r.struck == r.Times || !r.matches(subject) {
		return false
	}
	if now < r.From || r.Until > 0 && now >= r.Until {
		r.outside++
		return false
	}
	r.matched++
	if r.matched < r.Nth {
		return false
	}
	if r.Probability > 0 && s.Chance(r.Name) >= r.Probability {
		r.spared++
		return false
	}
	r.struck++
	return true
}

// Struck is how often the rule struck.
func (r *Rule) Struck() int { return r.struck }

// Hit counts a strike that the rule made by itself, and not because something matched.
func (r *Rule) Hit() { r.struck++ }

// Holding says whether a rule that holds things back still does.
func (s *Set) Holding(r *Rule) bool { return !r.ended && slices.Contains(s.rules, r) }
