package format

import (
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
)

// steps checks each step, and that they go forward in time.
func (v *validator) steps() {
	var clock stepClock
	for i, step := range v.scenario.Spec.Steps {
		if v.found.IsFull() {
			return
		}
		path := StepPath(i)
		v.oneVerb(path)
		left := v.stepTime(path, step, &clock)
		if step.Verb == nil {
			continue
		}
		v.stepDraw(path, step)
		step.Verb.Check(&Checker{v: v, path: source.Join(path, step.Verb.Keyword()), left: left, step: i})
		if step.Fails != "" && !step.Sends() {
			v.fail(path+".fails", "remove the line", "%s does not send a request that can fail", step.Verb.Keyword())
		}
	}
}

// oneVerb wants exactly one verb. A step with an unknown verb is reported as such only.
func (v *validator) oneVerb(path string) {
	var found []string
	for _, verb := range v.verbs.Names() {
		if v.scenario.Has(source.Join(path, verb)) {
			found = append(found, verb)
		}
	}
	switch {
	case len(found) == 0 && !v.failed[path]:
		v.fail(path, "one of "+strings.Join(v.verbs.Names(), ", "), "a step needs a verb")
	case len(found) > 1:
		v.report(v.scenario.Errorf(source.Join(path, found[1]), "split it into two steps",
			"a step has only one verb, and this one already has %s", found[0]))
	}
}

// stepClock is the earliest virtual time at which the step can happen. Waits take time that nobody
// knows, so the real one may be later.
type stepClock struct {
	earliest time.Duration
	late     bool // the horizon was passed, and reported
}

// stepTime checks when a step happens. It returns how much time is left from there to the horizon, at the most.
func (v *validator) stepTime(path string, step Step, clock *stepClock) (left time.Duration) {
	if step.Concurrent {
		if step.At == nil && (step.Draw == nil || step.Draw.At == nil) {
			v.fail(path+".concurrent", "at: 10s", "a concurrent step needs at, the time at which it happens")
		}
		own := stepClock{late: clock.late}
		step.Concurrent = false
		return v.stepTime(path, step, &own)
	}
	before := clock.earliest
	if d := step.Draw; d != nil {
		step.At, step.After = earliest(step.At, d.At), earliest(step.After, d.After)
	}
	switch {
	case step.At != nil && step.After != nil:
		v.fail(path+".after", "remove one of them", "a step has at or after, not both")
	case step.At != nil && step.At.Duration < before:
		v.fail(path+".at", "at: "+notation.Text(before)+", or move the step up",
			"at %s is too early: the previous step happens at %s or later", step.At, notation.Text(before))
	case step.At != nil:
		clock.earliest = step.At.Duration
	case step.After != nil:
		clock.earliest += step.After.Duration
	}
	horizon := v.scenario.Spec.Horizon.Duration
	if v.failed["spec.horizon"] || horizon <= 0 || clock.late {
		return HorizonMax
	}
	if clock.earliest >= horizon {
		clock.late = true
		place := path
		for _, name := range []string{".at", ".after", ".draw.at", ".draw.after"} {
			if v.has(path + name) {
				place = path + name
			}
		}
		enough := clock.earliest.Truncate(time.Minute) + time.Minute
		v.fail(place, "spec: {horizon: "+notation.Text(enough)+"}",
			"the step must happen before the horizon of %s", notation.Text(horizon))
		return HorizonMax
	}
	return horizon - clock.earliest
}
