package format

import (
	"path"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
)

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

// branchOf wants the name of a program, or a target whose name may be a glob.
func (v *validator) branchOf(at, name string) {
	slash := strings.LastIndexByte(name, '/')
	if slash < 0 {
		if !controllerName.MatchString(name) {
			v.fail(at, "deployment-controller, or pod/web-*", "%q is neither a program nor a target", name)
		}
		return
	}
	kind, glob := name[:slash], name[slash+1:]
	if _, err := path.Match(glob, ""); err != nil {
		v.fail(at, "a glob such as pod/web-*", "invalid glob %q", glob)
		return
	}
	if v.scenario.Kinds().Named(kind[strings.LastIndexByte(kind, '/')+1:]) == nil {
		v.fail(at, "a target such as pod/web-*", "unknown kind %q", kind)
	}
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
