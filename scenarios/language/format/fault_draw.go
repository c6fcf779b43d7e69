package format

import (
	"slices"

	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
)

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
	if d.Write != nil && f.Request == nil {
		v.fail(at+".draw.write", "nth: 1..12", "only requests are writes")
	}
}

// faultDrawSpans checks the ranges of times.
func (v *validator) faultDrawSpans(at string, f *FaultRule) {
	d := f.Draw
	for _, span := range d.Spans() {
		if span.Of != nil && (span.Of.Never || span.Of.Min == 0) {
			v.fail(at+".draw."+span.Name, "1s..1m", "must be a range of times that are longer than 0s, and not never")
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
