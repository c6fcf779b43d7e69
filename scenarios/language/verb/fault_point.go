package verb

import (
	"cmp"
	"fmt"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/sim/network/fault"
)

// Points are the faults that a seed draws from their ranges, by their field paths.
//
// A draw depends on the name of the rule, or on its content, and not on its position in the file: adding or removing
// another rule does not change it.
func Points(s *format.Scenario, seed int64) map[string]format.FaultRule {
	points, equal := map[string]format.FaultRule{}, map[string]int{}
	s.EachFault(func(at string, f *format.FaultRule) {
		if f.Draw == nil {
			return
		}
		id := cmp.Or(f.Name, contentOf(f))
		equal[id]++
		points[at] = pointOf(*f, uniformFrom(seed, fmt.Sprintf("fault|draw|%s|%d", id, equal[id])))
	})
	return points
}

// pointOf is the fault with everything said. uniform returns a number from lo to hi, both included.
func pointOf(f format.FaultRule, uniform func(key string, lo, hi int64) int64) format.FaultRule {
	space := f.Draw
	f.Draw = nil
	if space.At != nil {
		f.At = &notation.Duration{Duration: time.Duration(uniform("at", int64(space.At.Min), int64(space.At.Max)))}
	}
	number := func(key string, r *notation.Range) int { return int(uniform(key, int64(r.Min), int64(r.Max))) }
	if space.Nth != nil {
		f.Nth = number("nth", space.Nth)
	}
	if space.Times != nil {
		f.Times = number("times", space.Times)
	}
	f.For = drawTime(f.For, space.For, "for", uniform)
	f.Stale = drawTime(f.Stale, space.Stale, "stale", uniform)
	f.Restart = drawTime(f.Restart, space.Restart, "restartAfter", uniform)
	if f.Request != nil {
		request := *f.Request
		f.Request = &request
	}
	if f.Watch != nil {
		watch := *f.Watch
		f.Watch = &watch
	}
	if space.Write != nil {
		f.Request.Write = number("write", space.Write)
	}
	if len(space.Actor) > 0 {
		actor := space.Actor[uniform("actor", 0, int64(len(space.Actor)-1))]
		if f.Watch != nil {
			f.Watch.Actor = actor
		} else {
			f.Request.Actor = actor
		}
	}
	return f
}

// DrawnText describes the drawn values.
func DrawnText(d *notation.FaultDraw, drawn *format.FaultRule, rule *fault.Rule) string {
	said := notation.FaultDraw{}
	if d.At != nil {
		said.At = &notation.Delay{Min: drawn.At.Duration, Max: drawn.At.Duration}
	}
	if d.Nth != nil {
		said.Nth = &notation.Range{Min: drawn.Nth, Max: drawn.Nth}
	}
	if d.Write != nil {
		said.Write = &notation.Range{Min: drawn.Request.Write, Max: drawn.Request.Write}
	}
	if d.Times != nil {
		said.Times = &notation.Range{Min: drawn.Times, Max: drawn.Times}
	}
	said.For, said.Stale, said.Restart = point(d.For, drawn.For), point(d.Stale, drawn.Stale), point(d.Restart, drawn.Restart)
	if len(d.Actor) > 0 {
		said.Actor = []string{rule.Match.Actor}
	}
	return said.String()
}

// point is the range of the one time that was drawn from a range; nil if none was.
func point(space *notation.Delay, drawn *notation.Duration) *notation.Delay {
	if space == nil {
		return nil
	}
	return &notation.Delay{Min: drawn.Duration, Max: drawn.Duration}
}
