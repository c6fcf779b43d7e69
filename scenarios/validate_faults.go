package scenarios

import (
	"fmt"
	"net/http"
	"path"
	"time"
)

// faults checks the standing rules and those of the steps.
func (v *validator) faults() {
	names := map[string]string{}
	for i := range v.scenario.Spec.Faults {
		f, at := &v.scenario.Spec.Faults[i], FaultPath(i)
		if f.Release != "" {
			v.fail(at+".release", "a step: fault: {release: "+f.Release+"}", "only a step ends a rule")
		}
		from := time.Duration(0)
		if f.At != nil {
			from = f.At.Duration
		}
		v.fault(at, f, from)
		v.faultName(at, f, names)
	}
	for i, step := range v.scenario.Spec.Steps {
		f, at := step.Fault, StepPath(i)+".fault"
		if f == nil {
			continue
		}
		for _, name := range []string{"at", "when"} {
			if v.has(joinPath(at, name)) {
				v.fail(joinPath(at, name), "put "+name+" beside fault", "the step's own %s says when the rule begins", name)
			}
		}
		v.fault(at, f, 0)
		v.faultName(at, f, names)
	}
	v.releases(names)
}

// faultName wants each name once.
func (v *validator) faultName(at string, f *FaultRule, names map[string]string) {
	if f.Name == "" {
		return
	}
	if before, taken := names[f.Name]; taken {
		v.fail(at+".name", f.Name+"-2", "the name %q is taken by %s", f.Name, before)
		return
	}
	names[f.Name] = at
}

// releases wants each release to end a rule that holds.
func (v *validator) releases(names map[string]string) {
	for i, step := range v.scenario.Spec.Steps {
		if f := step.Fault; f != nil && f.Release != "" && names[f.Release] == "" {
			try := "name: " + f.Release + " in the fault that is to end"
			if near := nearestKey(f.Release, names); near != "" {
				try = near
			}
			v.fail(StepPath(i)+".fault.release", try, "no fault is named %q", f.Release)
		}
	}
}

// fault checks one rule; from is when it begins at the earliest.
func (v *validator) fault(at string, f *FaultRule, from time.Duration) {
	if v.failed[at] {
		return
	}
	if f.Release != "" {
		v.onlyRelease(at)
		return
	}
	if f.Request == nil {
		v.fail(at, "request: {verb: update, resource: deployments}", "a fault needs a request that it is about")
		return
	}
	v.faultRequest(at+".request", f.Request)
	v.faultEffect(at, f)
	v.faultTimes(at, f, from)
}

// onlyRelease wants nothing beside release.
func (v *validator) onlyRelease(at string) {
	for _, name := range faultFields {
		if name != "release" && v.has(joinPath(at, name)) {
			v.fail(joinPath(at, name), "make two steps of them", "release ends a rule, and %s belongs to another one", name)
			return
		}
	}
}

// faultEffect wants an effect, and effects that go together.
func (v *validator) faultEffect(at string, f *FaultRule) {
	const kinds = "fail, delay or hold"
	switch {
	case f.Fail == "" && f.Delay == nil && !f.Hold:
		v.fail(at, "fail: InternalError, or another one of "+kinds, "the fault does not say what goes wrong")
	case f.Fail != "" && f.Hold:
		v.fail(at+".hold", "make two faults of them", "a fault that fails a request cannot hold it")
	case f.Delay != nil && f.Hold:
		v.fail(at+".hold", "make two faults of them", "a fault that delays a request cannot hold it")
	}
	if f.Fail == "" && v.has(at+".afterCommit") {
		v.fail(at+".afterCommit", "fail: Timeout", "afterCommit needs fail")
	}
	if f.Delay != nil && (f.Delay.Never || f.Delay.Max == 0) {
		v.fail(at+".delay", "5s, or hold: true", "a delay must be longer than 0s, and not for ever")
	}
	if f.RetryAfter == nil {
		return
	}
	code := codeOf(f.Fail)
	switch seconds := f.RetryAfter.Duration; {
	case code != http.StatusTooManyRequests && code < http.StatusInternalServerError:
		v.fail(at+".retryAfter", "fail: TooManyRequests", "client-go heeds Retry-After with 429 and from 500 on only")
	case seconds < time.Second || seconds%time.Second != 0:
		v.fail(at+".retryAfter", "5s", "must be whole seconds, at least one")
	}
}

// faultTimes finds triggers that contradict each other.
func (v *validator) faultTimes(at string, f *FaultRule, from time.Duration) {
	switch {
	case f.Until != nil && f.For != nil:
		v.fail(at+".for", "remove one of them", "a fault has until or for, not both")
	case f.Until != nil && f.Until.Duration <= from:
		v.fail(at+".until", durationText(from+30*time.Second), "the fault ends at %s, before it begins at %s",
			f.Until, durationText(from))
	case f.For != nil && f.For.Duration == 0:
		v.fail(at+".for", "30s", "must be longer than 0s")
	}
	if horizon := v.scenario.Spec.Horizon.Duration; f.At != nil && from >= horizon && !v.failed["spec.horizon"] {
		v.fail(at+".at", "a later spec.horizon", "the fault is not before the horizon of %s", durationText(horizon))
	}
	if p := f.Probability; p != nil && (*p <= 0 || *p > 1) {
		v.fail(at+".probability", "0.5", "must be more than 0 and at most 1")
	}
}

func (v *validator) faultRequest(at string, r *FaultRequest) {
	v.faultResource(at+".resource", r.Resource)
	v.faultGlob(at+".actor", r.Actor)
	v.faultGlob(at+".name", r.Name)
	if r.Subresource != "" && r.Resource == "" {
		v.fail(at+".subresource", "resource: deployments", "subresource needs resource")
	}
}

func (v *validator) faultResource(at, resource string) {
	if resource == "" {
		return
	}
	if _, _, _, ok := ResolveResource(resource); !ok {
		try := nearestResource(resource)
		if try == "" {
			try = "a kind such as deployments, pods or jobs"
		}
		v.fail(at, try, "unknown kind %q", resource)
	}
}

func (v *validator) faultGlob(at, pattern string) {
	if _, err := path.Match(pattern, ""); err != nil {
		v.fail(at, fmt.Sprintf("a glob such as %q", "web-*"), "invalid glob %q", pattern)
	}
}
