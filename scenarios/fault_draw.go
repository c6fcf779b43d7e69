package scenarios

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/fault"
	"github.com/kubestep/kubestep/sim/trace"
)

// FaultDraw is the space of a fault: what is not said, but drawn from the seed, each field for itself. One
// seed is one point of the space, and a sweep over many seeds tries many (docs/explanation/exploration.md).
type FaultDraw struct {
	At    *Delay   `yaml:"at,omitempty" example:"0s..30s" doc:"In spec.faults: virtual time from which on the rule holds."`
	Nth   *Range   `yaml:"nth,omitempty" example:"1..12" doc:"Number of the first match that is struck."`
	Write *Range   `yaml:"write,omitempty" example:"1..4" doc:"With a request: its place among the writes of its sync."`
	Actor []string `yaml:"actor,omitempty" example:"[deployment-controller, replicaset-controller]" doc:"Who sends, or who watches: one of these."`
}

// Range is whole numbers, 1 or more, from which the seed draws one: 1..12.
type Range struct{ Min, Max int }

// rangeMax bounds a Range; no run has so many matches.
const rangeMax = 1_000_000

var rangeForm = regexp.MustCompile(`^([0-9]{1,9})(?:\.\.([0-9]{1,9}))?$`)

// ParseRange reads 1..12, or 3, which is a range of one number.
func ParseRange(text string) (Range, error) {
	parts := rangeForm.FindStringSubmatch(text)
	if parts == nil {
		return Range{}, problem("1..12", "invalid range %q", text)
	}
	low, _ := strconv.Atoi(parts[1])
	high := low
	if parts[2] != "" {
		high, _ = strconv.Atoi(parts[2])
	}
	switch {
	case high < low:
		return Range{}, problem(fmt.Sprintf("%d..%d", high, low), "the range %q has no numbers: it ends before it begins", text)
	case low < 1 || high > rangeMax:
		return Range{}, problem("1..12", "the range %q goes beyond 1..%d", text, rangeMax)
	}
	return Range{low, high}, nil
}

// String is 1..12, or 3.
func (r Range) String() string {
	if r.Min == r.Max {
		return strconv.Itoa(r.Min)
	}
	return fmt.Sprintf("%d..%d", r.Min, r.Max)
}

// MarshalYAML writes the range as text.
func (r Range) MarshalYAML() (any, error) { return r.String(), nil }

// String lists what is drawn: nth 1..12, actor one of a, b.
func (d *FaultDraw) String() string {
	var words []string
	if d.At != nil {
		words = append(words, "at "+d.At.String())
	}
	if d.Nth != nil {
		words = append(words, "nth "+d.Nth.String())
	}
	if d.Write != nil {
		words = append(words, "write "+d.Write.String())
	}
	if len(d.Actor) > 0 {
		words = append(words, "actor "+strings.Join(d.Actor, " or "))
	}
	return strings.Join(words, ", ")
}

// Points are the faults that a seed draws from their spaces, by their field paths.
//
// A draw hangs on the name of the rule, or on what it says, and not on its place in the file: another rule that
// is added or removed leaves it as it was.
func (s *Scenario) Points(seed int64) map[string]FaultRule {
	points, equal := map[string]FaultRule{}, map[string]int{}
	s.eachFault(func(at string, f *FaultRule) {
		if f.Draw == nil {
			return
		}
		id := cmp.Or(f.Name, faultText(f))
		equal[id]++
		points[at] = f.point(func(key string, lo, hi int64) int64 {
			drawn := engine.Hash(uint64(seed), fmt.Sprintf("fault|draw|%s|%d|%s", id, equal[id], key))
			return lo + int64(drawn%uint64(hi-lo+1))
		})
	})
	return points
}

// point is the fault with everything said. uniform returns a number from lo to hi, both included.
func (f FaultRule) point(uniform func(key string, lo, hi int64) int64) FaultRule {
	space := f.Draw
	f.Draw = nil
	if space.At != nil {
		f.At = &Duration{time.Duration(uniform("at", int64(space.At.Min), int64(space.At.Max)))}
	}
	number := func(key string, r *Range) int { return int(uniform(key, int64(r.Min), int64(r.Max))) }
	if space.Nth != nil {
		f.Nth = number("nth", space.Nth)
	}
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

// drawn is the point of a fault in this run, which the trace tells of when it begins. It must be called on the
// engine's goroutine.
func (r *run) drawn(f *FaultRule, path string, cause int64) *FaultRule {
	if f.Draw == nil {
		return f
	}
	drawn := r.points[path]
	rule, from := drawn.rule(path, 0), max(r.Now(), 0)
	if drawn.At != nil {
		from = max(from, drawn.At.Duration)
	}
	r.sim.Engine.At(from, "fault|drawn", func() {
		r.sim.Recorder.Emit(&trace.Record{Kind: trace.KindFault, Cause: cause, Fault: &trace.Fault{
			Rule: rule.Name, Effect: "drawn: " + f.Draw.point(&drawn, rule),
		}})
	})
	return &drawn
}

// point words what was drawn.
func (d *FaultDraw) point(drawn *FaultRule, rule *fault.Rule) string {
	said := FaultDraw{}
	if d.At != nil {
		said.At = &Delay{Min: drawn.At.Duration, Max: drawn.At.Duration}
	}
	if d.Nth != nil {
		said.Nth = &Range{drawn.Nth, drawn.Nth}
	}
	if d.Write != nil {
		said.Write = &Range{drawn.Request.Write, drawn.Request.Write}
	}
	if len(d.Actor) > 0 {
		said.Actor = []string{rule.Match.Actor}
	}
	return said.String()
}

// faultDraw checks a space: it must have points, and must not draw what the fault says.
func (v *validator) faultDraw(at string, f *FaultRule, standing bool) {
	d := f.Draw
	if d == nil || v.failed[at+".draw"] {
		return
	}
	about := ".request"
	if f.Watch != nil {
		about = ".watch"
	}
	if d.At == nil && d.Nth == nil && d.Write == nil && d.Actor == nil {
		v.fail(at+".draw", "nth: 1..12", "the space has no points: nothing is drawn")
	}
	if d.Actor != nil && len(d.Actor) == 0 {
		v.fail(at+".draw.actor", "[deployment-controller, replicaset-controller]", "the space has no points: the list is empty")
	}
	for i, actor := range d.Actor {
		path := itemPath(at+".draw.actor", i)
		v.faultGlob(path, actor)
		if slices.Contains(d.Actor[:i], actor) {
			v.fail(path, "remove one of them", "%s is there twice", actor)
		}
	}
	for _, field := range [][2]string{
		{"at", ".at"}, {"nth", ".nth"}, {"write", ".request.write"}, {"actor", about + ".actor"},
	} {
		if v.has(joinPath(at+".draw", field[0])) && v.has(at+field[1]) {
			v.fail(joinPath(at+".draw", field[0]), "remove one of them", "%s is said by %s", field[0], at+field[1])
		}
	}
	switch horizon := v.scenario.Spec.Horizon.Duration; {
	case d.At == nil:
	case !standing:
		v.fail(at+".draw.at", "nth: 1..12", "the step itself says when the rule begins")
	case d.At.Never:
		v.fail(at+".draw.at", "0s..30s", "the space has no points: never is no time")
	case d.At.Max >= horizon && !v.failed["spec.horizon"]:
		v.fail(at+".draw.at", "a later spec.horizon", "the fault is not before the horizon of %s", durationText(horizon))
	case f.Until != nil && d.At.Max >= f.Until.Duration:
		v.fail(at+".draw.at", "for: 30s instead of until", "the fault may begin after it ends at %s", f.Until)
	}
	if d.Write != nil && f.Watch != nil {
		v.fail(at+".draw.write", "nth: 1..12", "only requests are writes")
	}
}
