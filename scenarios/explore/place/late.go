package place

import (
	"slices"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
)

// A rule that counts from the start of a run must be there from the start. The same fault can be added to a run without faults when its
// time has come: the rule then begins in the millisecond of its write or event, and counts from there. So runs with faults at many places
// share the run without faults until then.

// late are rules of a fault at a spot, which begin at their times.
func (s spot) late(rules []format.FaultRule) []format.FaultRule {
	rules = slices.Clone(rules)
	for i := range rules {
		rule := &rules[i]
		if rule.At != nil || Rounded(s.time()) == 0 {
			continue
		}
		rule.At = notation.NewDuration(Rounded(s.time()))
		switch {
		case s.event != nil:
			rule.Nth = s.event.near
		case s.write != nil && rule.Request.Name != "":
			rule.Nth = s.write.nearAgain
		case s.write != nil:
			rule.Nth = s.write.near
		}
	}
	return rules
}

// Begin is the time at which the first of some rules begins: until then, the run is the one without them.
func Begin(rules []format.FaultRule) time.Duration {
	begin := rules[0].Begin()
	for i := range rules {
		begin = min(begin, rules[i].Begin())
	}
	return begin
}
