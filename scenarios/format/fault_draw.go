package format

import (
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/notation"
	"github.com/kubestep/kubestep/scenarios/source"
)

// FaultDraw is the space of a fault: what is not said, but drawn from the seed, each field for itself. One
// seed is one point of the space, and a sweep over many seeds tries many (docs/explanation/exploration.md).
type FaultDraw struct {
	At    *notation.Delay `yaml:"at,omitempty" example:"0s..30s" doc:"In spec.faults: virtual time from which on the rule holds."`
	Nth   *notation.Range `yaml:"nth,omitempty" example:"1..12" doc:"Number of the first match that is struck."`
	Write *notation.Range `yaml:"write,omitempty" example:"1..4" doc:"With a request: its place among the writes of its sync."`
	Actor []string        `yaml:"actor,omitempty" example:"[deployment-controller, replicaset-controller]" doc:"Who sends, or who watches: one of these."`
}

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
		path := source.Item(at+".draw.actor", i)
		v.faultGlob(path, actor)
		if slices.Contains(d.Actor[:i], actor) {
			v.fail(path, "remove one of them", "%s is there twice", actor)
		}
	}
	for _, field := range [][2]string{
		{"at", ".at"}, {"nth", ".nth"}, {"write", ".request.write"}, {"actor", about + ".actor"},
	} {
		if v.has(source.Join(at+".draw", field[0])) && v.has(at+field[1]) {
			v.fail(source.Join(at+".draw", field[0]), "remove one of them", "%s is said by %s", field[0], at+field[1])
		}
	}
	switch horizon := v.scenario.Spec.Horizon.Duration; {
	case d.At == nil:
	case !standing:
		v.fail(at+".draw.at", "nth: 1..12", "the step itself says when the rule begins")
	case d.At.Never:
		v.fail(at+".draw.at", "0s..30s", "the space has no points: never is no time")
	case d.At.Max >= horizon && !v.failed["spec.horizon"]:
		v.fail(at+".draw.at", "a later spec.horizon", "the fault is not before the horizon of %s", notation.Text(horizon))
	case f.Until != nil && d.At.Max >= f.Until.Duration:
		v.fail(at+".draw.at", "for: 30s instead of until", "the fault may begin after it ends at %s", f.Until)
	}
	if d.Write != nil && f.Watch != nil {
		v.fail(at+".draw.write", "nth: 1..12", "only requests are writes")
	}
}
