package format

import (
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/notation"
	"github.com/kubestep/kubestep/scenarios/source"
)

// FaultDraw is the range of a fault: the seed draws each field independently. One seed is one point of the range, and a
// sweep over many seeds tries many (docs/explanation/exploration.md).
type FaultDraw struct {
	At    *notation.Delay `yaml:"at,omitempty" example:"0s..30s" doc:"In spec.faults: virtual time from which the rule is active."`
	Nth   *notation.Range `yaml:"nth,omitempty" example:"1..12" doc:"Number of the first match that the rule applies to."`
	Write *notation.Range `yaml:"write,omitempty" example:"1..4" doc:"With a request: its position among the writes of its sync."`
	Times *notation.Range `yaml:"times,omitempty" example:"1..16" doc:"Number of matches that the rule applies to."`
	For   *notation.Delay `yaml:"for,omitempty" example:"1s..2m" doc:"Virtual time from the start of the rule until it ends."`
	Stale *notation.Delay `yaml:"stale,omitempty" example:"5s..1m" doc:"With a list request: the age of the state that is the answer."`
	// Restart is restartAfter of the rule.
	Restart *notation.Delay `yaml:"restartAfter,omitempty" example:"1s..30s" doc:"With crash: delay until the process starts again."`
	Actor   []string        `yaml:"actor,omitempty" example:"[deployment-controller, replicaset-controller]" doc:"Actor that sends or watches: one of these."`
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
	if d.Times != nil {
		words = append(words, "times "+d.Times.String())
	}
	for _, span := range d.spans() {
		if span.of != nil {
			words = append(words, span.name+" "+span.of.String())
		}
	}
	if len(d.Actor) > 0 {
		words = append(words, "actor "+strings.Join(d.Actor, " or "))
	}
	return strings.Join(words, ", ")
}

// span is a range of times, and the field that has it.
type span struct {
	name string
	of   *notation.Delay
}

func (d *FaultDraw) spans() []span {
	return []span{{"for", d.For}, {"stale", d.Stale}, {"restartAfter", d.Restart}}
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
	if d.String() == "" && d.Actor == nil {
		v.fail(at+".draw", "nth: 1..12", "draw needs at least one range or list")
	}
	if d.Actor != nil && len(d.Actor) == 0 {
		v.fail(at+".draw.actor", "[deployment-controller, replicaset-controller]", "draw.actor needs at least one actor")
	}
	for i, actor := range d.Actor {
		path := source.Item(at+".draw.actor", i)
		v.faultGlob(path, actor)
		if slices.Contains(d.Actor[:i], actor) {
			v.fail(path, "remove one of them", "duplicate %s", actor)
		}
	}
	for _, field := range [][2]string{
		{"at", ".at"}, {"nth", ".nth"}, {"write", ".request.write"}, {"actor", about + ".actor"},
		{"times", ".times"}, {"for", ".for"}, {"for", ".until"}, {"stale", ".stale"}, {"restartAfter", ".restartAfter"},
	} {
		if v.has(source.Join(at+".draw", field[0])) && v.has(at+field[1]) {
			v.fail(source.Join(at+".draw", field[0]), "remove one of them", "%s is already set by %s", field[0], at+field[1])
		}
	}
	switch horizon := v.scenario.Spec.Horizon.Duration; {
	case d.At == nil:
	case !standing:
		v.fail(at+".draw.at", "nth: 1..12", "the step already says when the rule starts")
	case d.At.Never:
		v.fail(at+".draw.at", "0s..30s", "draw.at needs a range of times, not never")
	case d.At.Max >= horizon && !v.failed["spec.horizon"]:
		v.fail(at+".draw.at", "a later spec.horizon", "the fault must start before the horizon of %s", notation.Text(horizon))
	case f.Until != nil && d.At.Max >= f.Until.Duration:
		v.fail(at+".draw.at", "for: 30s instead of until", "the fault may start after it ends at %s", f.Until)
	}
	v.faultDrawSpans(at, f)
	if d.Write != nil && f.Watch != nil {
		v.fail(at+".draw.write", "nth: 1..12", "only requests are writes")
	}
}

// faultDrawSpans checks the ranges of times.
func (v *validator) faultDrawSpans(at string, f *FaultRule) {
	d := f.Draw
	for _, span := range d.spans() {
		if span.of != nil && (span.of.Never || span.of.Min == 0) {
			v.fail(at+".draw."+span.name, "1s..1m", "must be a range of times that are longer than 0s, and not never")
		}
	}
	switch {
	case d.Restart != nil && !f.Crash:
		v.fail(at+".draw.restartAfter", "crash: true", "restartAfter needs crash")
	case d.Stale != nil && (f.Request == nil || f.Request.Verb != "list"):
		v.fail(at+".draw.stale", "request: {verb: list, resource: pods}", "only a list can be stale")
	case d.Stale != nil && d.Stale.Max > staleMax:
		v.fail(at+".draw.stale", "5s..1m", "must be at most %s, the history that the store keeps", notation.Text(staleMax))
	}
}
