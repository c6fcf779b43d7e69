package scenarios

import (
	"reflect"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/kinds"
)

// steps checks each step, and that they go forward in time.
func (v *validator) steps() {
	var clock stepClock
	for i, step := range v.scenario.Spec.Steps {
		if v.found.full() {
			return
		}
		path := StepPath(i)
		v.verbs(path)
		v.stepTime(path, step, &clock)
		v.verb(path, step)
		if step.Fails != "" && step.Verb() != "" && !step.Sends() {
			v.fail(path+".fails", "remove the line", "%s sends no request that could fail", step.Verb())
		}
	}
}

// verbs wants exactly one verb. A step with an unknown verb is reported as such only.
func (v *validator) verbs(path string) {
	var found []string
	for _, verb := range Verbs() {
		if v.scenario.has(joinPath(path, verb)) {
			found = append(found, verb)
		}
	}
	switch {
	case len(found) == 0 && !v.failed[path]:
		v.fail(path, "one of "+strings.Join(Verbs(), ", "), "a step needs a verb")
	case len(found) > 1:
		v.report(v.scenario.Errorf(joinPath(path, found[1]), "make two steps of them",
			"a step has one verb, and this one has %s already", found[0]))
	}
}

// stepClock is the earliest virtual time at which the step can happen. Waits take time that nobody
// knows, so the real one may be later.
type stepClock struct {
	earliest time.Duration
	late     bool // the horizon was passed, and reported
}

func (v *validator) stepTime(path string, step Step, clock *stepClock) {
	before := clock.earliest
	switch {
	case step.At != nil && step.After != nil:
		v.fail(path+".after", "remove one of them", "a step has at or after, not both")
	case step.At != nil && step.At.Duration < before:
		v.fail(path+".at", "at: "+durationText(before)+", or move the step up",
			"at %s goes back in time: the step before happens at %s or later", step.At, durationText(before))
	case step.At != nil:
		clock.earliest = step.At.Duration
	case step.After != nil:
		clock.earliest += step.After.Duration
	}
	horizon := v.scenario.Spec.Horizon.Duration
	if v.failed["spec.horizon"] || horizon <= 0 || clock.late {
		return
	}
	if clock.earliest >= horizon {
		clock.late = true
		place := path
		for _, name := range []string{".at", ".after"} {
			if v.has(path + name) {
				place = path + name
			}
		}
		enough := clock.earliest.Truncate(time.Minute) + time.Minute
		v.fail(place, "spec: {horizon: "+durationText(enough)+"}",
			"the step is not before the horizon of %s", durationText(horizon))
		return
	}
	left := horizon - clock.earliest
	if step.Expect != nil && step.Expect.By != nil && step.Expect.By.Duration > left {
		v.fail(path+".expect.by", durationText(left)+" or less, or a later horizon",
			"the deadline is behind the horizon of %s", durationText(horizon))
	}
}

// verb checks what belongs to the step's verb.
func (v *validator) verb(path string, step Step) {
	at := joinPath(path, step.Verb())
	switch {
	case step.Apply != "":
		v.manifests(at, step.Apply)
	case step.Create != "":
		v.manifests(at, step.Create)
	case step.Patch != nil:
		v.target(at+".target", step.Patch.Target, "", nil)
		v.patch(at, step.Patch)
	case step.Scale != nil:
		v.target(at+".target", step.Scale.Target, "cannot be scaled", has("scale"))
	case step.SetImage != nil:
		v.target(at+".target", step.SetImage.Target, "has no containers", hasPodSpec)
		if strings.ContainsAny(step.SetImage.Image, " \t\n") {
			v.fail(at+".image", strings.Join(strings.Fields(step.SetImage.Image), ""), "invalid image %q",
				step.SetImage.Image)
		}
	case step.Rollout != nil:
		v.rollout(at, *step.Rollout)
	case step.Delete != nil:
		v.deletion(at, *step.Delete)
	case step.Evict != "":
		v.target(at, step.Evict, "cannot be evicted", has("eviction"))
	case step.Label != nil:
		v.metadate(at, *step.Label, true)
	case step.Annotate != nil:
		v.metadate(at, *step.Annotate, false)
	case step.Controller != nil:
		v.controller(at, *step.Controller)
	case step.Edit != nil:
		v.target(at+".target", step.Edit.Target, "", nil)
	case step.Pod != nil:
		v.podTrouble(at, *step.Pod)
	case step.Node != nil:
		v.node(at, *step.Node)
	case step.Load != nil:
		v.level(at, step.Load.Total, step.Load.PerPod)
	case step.Wait != nil:
		v.wait(at, step.Wait.For, step.Wait.Timeout)
	case step.Ask != nil:
		v.ask(at, step.Ask)
	}
}

// has are the kinds with a subresource: scale is what kubectl scale changes.
func has(subresource string) func(*kinds.Kind) bool {
	return func(k *kinds.Kind) bool { return k.Has(subresource) }
}

// hasPodSpec are the kinds that kubectl set image works on.
func hasPodSpec(k *kinds.Kind) bool { return k.PodSpec != "" }

// target checks KIND/NAME; is, if given, says which kinds the verb works on.
func (v *validator) target(path, text, otherwise string, is func(*kinds.Kind) bool) {
	if text == "" {
		return // reported as missing or empty
	}
	target, err := ParseTarget(text)
	if err == nil && is != nil {
		err = target.oneOf(otherwise, is)
	}
	v.failErr(path, err)
}

// manifests reports errors inside manifests at their own lines. They may be many for one field.
func (v *validator) manifests(path, text string) {
	if v.failed[path] {
		return
	}
	if _, err := v.scenario.Manifests(path, text); err != nil {
		for _, e := range err.(ErrorList) {
			v.report(e)
		}
	}
}

// one wants exactly one of the text fields of a struct, which say what a verb works on.
func (v *validator) one(path string, of reflect.Type, verb, noun, try string) (found []string) {
	for _, f := range fieldsOf(of) {
		if f.typ.Kind() == reflect.String && v.scenario.has(joinPath(path, f.name)) {
			found = append(found, f.name)
		}
	}
	switch {
	case len(found) == 0 && !v.failed[path]:
		v.fail(path, try, "%s needs a %s", verb, noun)
	case len(found) > 1:
		v.fail(joinPath(path, found[1]), "make two steps of them",
			"%s has one %s, and this one has %s already", verb, noun, found[0])
	}
	return found
}

// controller wants one thing that happens to a process.
func (v *validator) controller(path string, f ControllerFault) {
	v.one(path, reflect.TypeFor[ControllerFault](), "controller", "process",
		"{crash: kube-controller-manager}, or restart, pause or resume")
	if f.After != nil && f.Crash == "" && !v.failed[path] {
		v.fail(path+".restartAfter", "crash: kube-controller-manager", "restartAfter needs crash")
	}
}

// rollout wants one of undo, pause, resume and restart.
func (v *validator) rollout(path string, r Rollout) {
	found := v.one(path, reflect.TypeFor[Rollout](), "rollout", "target", "{undo: deployment/NAME}, or pause, resume or restart")
	v.target(path+".undo", r.Undo, "has no rollout to undo", rollsOut("undo"))
	v.target(path+".pause", r.Pause, "cannot be paused", rollsOut("pause"))
	v.target(path+".resume", r.Resume, "cannot be resumed", rollsOut("resume"))
	v.target(path+".restart", r.Restart, "cannot be restarted", rollsOut("restart"))
	if r.Undo == "" && v.has(path+".toRevision") && len(found) > 0 {
		v.fail(path+".toRevision", "remove the line", "toRevision needs undo")
	}
}

// deletion checks that there is a name or a selector, but not both.
func (v *validator) deletion(path string, d Delete) {
	if d.Target == "" {
		return
	}
	if !v.scenario.has(path + ".selector") {
		_, err := ParseTarget(d.Target)
		if _, kindErr := ParseTargetKind(d.Target); err != nil && kindErr == nil {
			err = problem(d.Target+"/NAME, or add selector", "target %q has no name", d.Target)
		}
		v.failErr(path+".target", err)
		return
	}
	_, err := ParseTargetKind(d.Target)
	v.failErr(path+".target", err)
	v.selector(path+".selector", d.Selector)
}

// metadate checks label and annotate.
func (v *validator) metadate(path string, m Metadate, areLabels bool) {
	v.target(path+".target", m.Target, "", nil)
	if len(m.Set) == 0 && v.has(path+".set") {
		v.fail(path+".set", "{KEY: VALUE}", "sets nothing")
	}
	for _, key := range sortedKeys(m.Set) {
		at := path + ".set[" + key + "]"
		v.labelKey(at, key)
		if value := m.Set[key]; areLabels && value != nil {
			v.labelValue(at, *value)
		}
	}
}

func (v *validator) wait(path, until string, timeout *Duration) {
	if timeout != nil && timeout.Duration == 0 {
		v.fail(path+".timeout", durationText(DefaultWaitTimeout), "must be longer than 0s")
	}
	if until == "" {
		return
	}
	wait, err := ParseWait(until)
	v.failErr(path+".for", err)
	if wait.Condition != "" {
		v.expression(path+".for", until)
	}
}
