package format

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/manifest"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
	"github.com/kubestep/kubestep/sim/kinds"
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

// branches checks what a scenario prepares: each branch begins before the horizon, and its steps change something, all at one time.
func (v *validator) branches() {
	for i := range v.scenario.Spec.Branches {
		b, at := &v.scenario.Spec.Branches[i], BranchPath(i)
		if v.found.IsFull() {
			return
		}
		if strings.Contains(strings.TrimSpace(b.Title), "\n") {
			v.fail(at+".title", "one line here, and the rest in about", "must be one line")
		}
		if horizon := v.scenario.Spec.Horizon; b.At != nil && b.At.Duration >= horizon.Duration {
			v.fail(at+".at", "at: 5s", "the branch must begin before the horizon of %s", horizon.String())
		}
		if len(b.Of) == 0 && !v.failed[at+".of"] {
			v.fail(at+".of", "of: [deployment-controller]", "nobody can find the branch")
		}
		for n, name := range b.Of {
			v.branchOf(source.Item(at+".of", n), name)
		}
		if len(b.Steps) == 0 && !v.failed[at+".steps"] {
			v.fail(at+".steps", "steps: [{node: {fail: node-1}}]", "the branch is the scenario itself")
		}
		for n := range b.Steps {
			v.branchStep(BranchStepPath(i, n), &b.Steps[n], b.At)
		}
	}
}

// branchOf wants the name of a program of the run, or a target whose name may be a glob, and which the run can have.
func (v *validator) branchOf(at, name string) {
	slash := strings.LastIndexByte(name, '/')
	if slash < 0 {
		v.branchProgram(at, name)
		return
	}
	kind, glob := name[:slash], name[slash+1:]
	if _, err := path.Match(glob, ""); err != nil {
		v.fail(at, "a glob such as pod/web-*", "invalid glob %q", glob)
		return
	}
	k := v.scenario.Kinds().Named(kind[strings.LastIndexByte(kind, '/')+1:])
	if k == nil {
		v.fail(at, "a target such as pod/web-*", "unknown kind %q", kind)
		return
	}
	known, complete := v.namesOf(k)
	if !complete || slices.ContainsFunc(known, func(name string) bool { matched, _ := path.Match(glob, name); return matched }) {
		return
	}
	prefixed := make([]string, len(known))
	for i, name := range known {
		prefixed[i] = kind + "/" + name
	}
	v.fail(at, cmp.Or(spelling.Among(name, prefixed), "a step that creates "+kind+"/"+glob), "unknown %s %q", k.Singular, glob)
}

// programs are those of each run that are no controllers. A replica has a number behind it.
var programs = []string{"kubectl", "kube-controller-manager", "kube-scheduler", "kubelet"}

// branchProgram wants a program of the run. Without a list of controllers, a run has upstream's.
func (v *validator) branchProgram(at, name string) {
	if !controllerName.MatchString(name) {
		v.fail(at, "deployment-controller, or pod/web-*", "%q is neither a program nor a target", name)
		return
	}
	spec := &v.scenario.Spec
	listed := spec.Kubernetes.Controllers
	open := len(listed) == 0 || slices.ContainsFunc(listed, func(of string) bool { return of == "*" || strings.HasPrefix(of, "-") })
	known := slices.Concat(programs, listed, spec.Controllers)
	isKnown := func(of string) bool {
		return name == of || (of == programs[1] || of == programs[2]) && strings.HasPrefix(name, of+"-")
	}
	if !slices.ContainsFunc(known, isKnown) && (!open || !strings.HasSuffix(name, "-controller")) {
		v.fail(at, spelling.Among(name, known), "unknown program %q", name)
	}
}

// ofUsers are the kinds whose objects only users create. Those of other kinds may come from a controller.
var ofUsers = []string{"deployment", "statefulset", "daemonset", "cronjob"}

// namesOf are the objects of a kind that a run has. complete is false if it may have others.
func (v *validator) namesOf(k *kinds.Kind) (names []string, complete bool) {
	spec := &v.scenario.Spec
	if k.Singular == "node" {
		for _, node := range spec.Cluster.EachNode() {
			names = append(names, node.Name)
		}
		// Nodes may also be among the objects that exist from the start.
		return names, spec.Cluster.Objects == ""
	}
	if !slices.Contains(ofUsers, k.Singular) || len(spec.Controllers) > 0 || slices.ContainsFunc(spec.Steps, sendsAnything) {
		return nil, false
	}
	for _, text := range v.scenario.manifestsBefore(len(spec.Steps)) {
		if text == "" {
			continue
		}
		manifests, err := manifest.Read(v.scenario.Kinds(), v.scenario.File, "", text)
		if err != nil {
			return nil, false
		}
		for _, m := range manifests {
			switch {
			case m.GVK.Kind != k.Kind:
			case m.Unstructured.GetName() == "":
				return nil, false
			default:
				names = append(names, m.Unstructured.GetName())
			}
		}
	}
	return names, true
}

// Creator is a verb that may create an object which no manifest of the scenario has.
type Creator interface{ Creates() }

// sendsAnything reports whether a step may create an object without a manifest.
func sendsAnything(step Step) bool {
	_, creates := step.Verb.(Creator)
	return creates
}

// branchStep wants a verb that changes something, and no time: the branch has one.
func (v *validator) branchStep(at string, step *Step, begins *notation.Duration) {
	v.oneVerb(at)
	for _, field := range []string{"at", "after", "when", "concurrent", "draw", "fails"} {
		if v.has(source.Join(at, field)) {
			v.fail(source.Join(at, field), "remove the line", "a step of a branch happens at the time of the branch")
		}
	}
	if step.Verb == nil {
		return
	}
	if role := step.Verb.Role(); !slices.Contains([]Role{Request, Fault, Change}, role) {
		v.fail(source.Join(at, step.Verb.Keyword()), "a verb such as scale, node or fault",
			"%s changes nothing in a branch", step.Verb.Keyword())
		return
	}
	left, from := v.scenario.Spec.Horizon.Duration, v.scenario.Spec.Horizon.Duration
	if begins != nil {
		left, from = left-begins.Duration, begins.Duration
	}
	place := source.Join(at, step.Verb.Keyword())
	step.Verb.Check(&Checker{v: v, path: place, left: left, step: len(v.scenario.Spec.Steps)})
	if holder, ok := step.Verb.(RuleHolder); ok {
		v.fault(place, holder.FaultRule(), from)
	}
}

// fails reports whether a step is meant to fail. One of a branch is not.
func (v *validator) fails(step int) bool {
	return step < len(v.scenario.Spec.Steps) && v.scenario.Spec.Steps[step].Fails != ""
}
