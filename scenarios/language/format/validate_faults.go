package format

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
)

// faults checks the standing rules and those of the steps.
func (v *validator) faults() {
	names := map[string]string{}
	for i := range v.scenario.Spec.Faults {
		f, at := &v.scenario.Spec.Faults[i], FaultPath(i)
		if f.Release != "" {
			v.fail(at+".release", "a step: fault: {release: "+f.Release+"}", "only a step can end a rule")
		}
		from := time.Duration(0)
		if f.At != nil {
			from = f.At.Duration
		}
		v.fault(at, f, from)
		v.faultDraw(at, f, true)
		v.faultName(at, f, names)
	}
	for i, step := range v.scenario.Spec.Steps {
		holder, ok := step.Verb.(RuleHolder)
		if !ok {
			continue
		}
		f, at := holder.FaultRule(), source.Join(StepPath(i), step.Verb.Keyword())
		for _, name := range []string{"at", "when"} {
			if v.has(source.Join(at, name)) {
				v.fail(source.Join(at, name), "put "+name+" next to fault", "%s of the step says when the rule starts", name)
			}
		}
		from := time.Duration(0)
		if step.At != nil {
			from = step.At.Duration
		}
		v.fault(at, f, from)
		v.faultDraw(at, f, false)
		v.faultName(at, f, names)
	}
	v.releases(names)
}

// faultName wants each name once. The name of a rule without one is its path.
func (v *validator) faultName(at string, f *FaultRule, names map[string]string) {
	if f.Name == "" {
		if f.Release == "" {
			names[at] = at
		}
		return
	}
	if before, taken := names[f.Name]; taken {
		v.fail(at+".name", f.Name+"-2", "duplicate name %q, already used by %s", f.Name, before)
		return
	}
	names[f.Name] = at
}

// releases wants each release to end a rule that holds.
func (v *validator) releases(names map[string]string) {
	v.scenario.EachFault(func(at string, f *FaultRule) {
		if f.Release != "" && !strings.HasPrefix(at, "spec.faults") && names[f.Release] == "" {
			near := spelling.Nearest(f.Release, slices.Sorted(maps.Keys(names)))
			v.fail(at+".release", cmp.Or(near, "name: "+f.Release+" in the fault that should end"), "unknown fault %q", f.Release)
		}
	})
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
	switch {
	case f.Node != nil:
		v.faultNode(at, f)
		v.faultTimes(at, f, from)
		return
	case f.Request == nil && f.Watch == nil && f.Webhook == nil && f.Kubelet == nil && f.Timer == nil:
		v.fail(at, "request: {verb: update, resource: deployments}, or watch: {resource: pods}",
			"a fault needs request, watch, webhook, kubelet or timer")
		return
	case f.Request != nil && f.Watch != nil:
		v.fail(at+".watch", "split it into two faults", "a fault has request or watch, not both")
		return
	case f.Webhook != nil && (f.Request != nil || f.Watch != nil):
		v.fail(at+".webhook", "split it into two faults", "webhook cannot be combined with request and watch")
		return
	case f.Kubelet != nil && (f.Request != nil || f.Watch != nil || f.Webhook != nil):
		v.fail(at+".kubelet", "split it into two faults", "kubelet cannot be combined with request, watch and webhook")
		return
	case f.Timer != nil && (f.Request != nil || f.Watch != nil || f.Webhook != nil || f.Kubelet != nil):
		v.fail(at+".timer", "split it into two faults", "timer cannot be combined with request, watch, webhook and kubelet")
		return
	case f.Timer != nil:
		v.faultGlob(at+".timer.actor", f.Timer.Actor)
		v.faultGlob(at+".timer.name", f.Timer.Name)
		if f.Draw != nil && f.Draw.Actor != nil {
			v.fail(at+".draw.actor", "nth: 1..12", "the actor of a rule about timers is not drawn")
		}
	case f.Kubelet != nil:
		v.faultKubelet(at, f)
	case f.Webhook != nil:
		v.faultWebhook(at, f)
	case f.Request != nil:
		v.faultRequest(at+".request", f.Request)
	default:
		v.faultWatch(at+".watch", f.Watch)
	}
	v.faultEffect(at, f)
	v.faultTimes(at, f, from)
}

// faultFields are the names of the fields of a fault.
var faultFields = fieldNames(reflect.TypeFor[FaultRule]())

// onlyRelease wants nothing beside release.
func (v *validator) onlyRelease(at string) {
	for _, name := range faultFields {
		if name != "release" && v.has(source.Join(at, name)) {
			v.fail(source.Join(at, name), "split it into two steps", "release cannot be combined with %s", name)
			return
		}
	}
}

// nodeFields are the fields that a rule about a node may have.
var nodeFields = []string{"name", "at", "when", "node", "until", "for", "draw"}

// faultNode wants a node that the cluster has, in spec.faults.
func (v *validator) faultNode(at string, f *FaultRule) {
	for _, name := range faultFields {
		if !slices.Contains(nodeFields, name) && v.has(source.Join(at, name)) {
			v.fail(source.Join(at, name), "split it into two faults", "node cannot be combined with %s", name)
			return
		}
	}
	if !strings.HasPrefix(at, "spec.faults") {
		try := "node: {" + strings.Replace(f.Node.String(), " ", ": ", 1) + "} in place of fault"
		v.fail(at+".node", try, "a step makes a node fail with the verb node")
		return
	}
	if (f.Node.Fail == "") == (f.Node.Partition == "") {
		v.fail(at+".node", "{fail: node-1}, or {partition: node-1}", "a fault of a node has fail or partition")
		return
	}
	var known []string
	for _, node := range v.scenario.Spec.Cluster.EachNode() {
		known = append(known, node.Name)
	}
	// Nodes may also be among the objects that exist from the start.
	if name := f.Node.Name(); v.scenario.Spec.Cluster.Objects == "" && !slices.Contains(known, name) {
		what, _, _ := strings.Cut(f.Node.String(), " ")
		v.fail(at+".node."+what, spelling.Among(name, known), "unknown node %q", name)
	}
}

// faultEffects are the effects of a fault, in the order of the reference. Of each, at most one is in a rule.
var faultEffects = []struct {
	name                                    string
	request, watch, webhook, kubelet, timer bool
	has                                     func(f *FaultRule) bool
}{
	{"fail", true, false, true, false, false, func(f *FaultRule) bool { return f.Fail != "" }},
	{"delay", true, true, true, false, true, func(f *FaultRule) bool { return f.Delay != nil }},
	{"responseDelay", true, false, false, false, false, func(f *FaultRule) bool { return f.ResponseDelay != nil }},
	{"hold", true, true, true, false, false, func(f *FaultRule) bool { return f.Hold }},
	{"disconnect", false, true, true, false, false, func(f *FaultRule) bool { return f.Disconnect }},
	{"expire", false, true, false, false, false, func(f *FaultRule) bool { return f.Expire }},
	{"crash", true, true, true, false, false, func(f *FaultRule) bool { return f.Crash }},
	{"stale", true, false, false, false, false, func(f *FaultRule) bool { return f.Stale != nil || f.Draw != nil && f.Draw.Stale != nil }},
	{"asOf", true, false, false, false, false, func(f *FaultRule) bool { return f.AsOf != nil }},
	{"reject", false, false, false, true, false, func(f *FaultRule) bool { return f.Reject != "" }},
}

// faultEffect wants one effect, or a request that fails because its process crashes, and one that goes with what the fault is about.
func (v *validator) faultEffect(at string, f *FaultRule) {
	var found, foreign, possible []string
	about := "a request"
	switch {
	case f.Watch != nil:
		about = "a watch"
	case f.Webhook != nil:
		about = "a webhook"
	case f.Kubelet != nil:
		about = "a kubelet"
	case f.Timer != nil:
		about = "a timer"
	}
	for _, effect := range faultEffects {
		fits := f.Request != nil && effect.request || f.Watch != nil && effect.watch || f.Webhook != nil && effect.webhook ||
			f.Kubelet != nil && effect.kubelet || f.Timer != nil && effect.timer
		if fits {
			possible = append(possible, effect.name)
		}
		if effect.has(f) {
			found = append(found, effect.name)
		}
		if effect.has(f) && !fits {
			foreign = append(foreign, effect.name)
		}
	}
	for _, name := range foreign {
		v.fail(source.Join(at, name), anyOf(possible), "%s does not apply to %s", name, about)
	}
	switch {
	case len(found) == 0:
		v.fail(at, anyOf(possible), "a fault needs an effect")
	case f.Request != nil && !f.AfterCommit && slices.Equal(found, []string{"fail", "crash"}):
		// The request is lost: the process crashes before it is executed.
	case len(found) > 1:
		v.fail(source.Join(at, found[1]), "split it into two faults", "a fault has only one effect, and this one already has %s", found[0])
	}
	v.faultDetails(at, f)
}

// anyOf suggests one of some fields.
func anyOf(fields []string) string {
	if len(fields) == 1 {
		return fields[0]
	}
	return "one of " + strings.Join(fields, ", ")
}

// faultDetails checks what belongs to one effect only.
func (v *validator) faultDetails(at string, f *FaultRule) {
	if f.Fail == "" && v.has(at+".afterCommit") && (f.Webhook == nil || !f.Disconnect) {
		v.fail(at+".afterCommit", "fail: Timeout", "afterCommit needs fail")
	}
	if f.Restart != nil && !f.Crash {
		v.fail(at+".restartAfter", "crash: true", "restartAfter needs crash")
	}
	if f.Coalesce && (!f.Hold || f.Watch == nil) {
		v.fail(at+".coalesce", "watch: {resource: pods}, hold: true", "coalesce needs hold of a watch")
	}
	if f.Delay != nil && (f.Delay.Never || f.Delay.Max == 0) {
		v.fail(at+".delay", "5s, or hold: true", "a delay must be longer than 0s, and not never")
	}
	if d := f.ResponseDelay; d != nil && (d.Never || d.Max == 0) {
		v.fail(at+".responseDelay", "2s", "a delay must be longer than 0s, and not never")
	}
	if f.Stale != nil {
		v.stale(at, f)
	}
	if f.AsOf != nil {
		v.asOf(at, f)
	}
	v.retryAfter(at, f)
}

// staleMax is how old a snapshot can be: the history before it is compacted sooner or later.
const staleMax = 5 * time.Minute

func (v *validator) stale(at string, f *FaultRule) {
	switch {
	case f.Request != nil && f.Request.Verb != "list":
		v.fail(at+".stale", "request: {verb: list, resource: pods}", "only a list can be stale")
	case f.Stale.Duration == 0 || f.Stale.Duration > staleMax:
		v.fail(at+".stale", "30s", "must be longer than 0s and at most %s, the history that the store keeps", notation.Text(staleMax))
	}
}

func (v *validator) asOf(at string, f *FaultRule) {
	switch {
	case f.Request != nil && f.Request.Verb != "list":
		v.fail(at+".asOf", "request: {verb: list, resource: pods}", "only a list can have a state of the past")
	case f.AsOf.Duration <= 0:
		v.fail(at+".asOf", "12.5s", "must be a virtual time after time zero")
	}
}

func (v *validator) retryAfter(at string, f *FaultRule) {
	if f.RetryAfter == nil {
		return
	}
	code := notation.StatusCode(f.Fail)
	switch seconds := f.RetryAfter.Duration; {
	case code != http.StatusTooManyRequests && code < http.StatusInternalServerError:
		v.fail(at+".retryAfter", "fail: TooManyRequests", "client-go uses Retry-After only with 429 and with codes of 500 or more")
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
		v.fail(at+".until", notation.Text(from+30*time.Second), "the fault ends at %s, before it starts at %s",
			f.Until, notation.Text(from))
	case f.For != nil && f.For.Duration == 0:
		v.fail(at+".for", "30s", "must be longer than 0s")
	}
	ends := f.Disconnect || f.Expire || f.Watch != nil && f.Crash
	if f.Times > 0 && f.Nth == 0 && f.Webhook == nil && ends && (f.Watch == nil || f.Watch.Where == "") {
		v.fail(at+".times", "add nth, or remove the line", "without nth and where, the watch ends once, when the fault starts")
	}
	if horizon := v.scenario.Spec.Horizon.Duration; f.At != nil && from >= horizon && !v.failed["spec.horizon"] {
		v.fail(at+".at", "a later spec.horizon", "the fault must start before the horizon of %s", notation.Text(horizon))
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
	v.faultNever(at, r)
}

func (v *validator) faultWatch(at string, w *FaultWatch) {
	v.faultResource(at+".resource", w.Resource)
	v.faultGlob(at+".actor", w.Actor)
	v.faultGlob(at+".name", w.Name)
	v.faultNamespace(at+".namespace", w.Resource, w.Namespace)
}

// faultWebhook checks which calls a rule is about.
func (v *validator) faultWebhook(at string, f *FaultRule) {
	v.faultGlob(at+".webhook.name", f.Webhook.Name)
	v.faultResource(at+".webhook.resource", f.Webhook.Resource)
	v.faultNamespace(at+".webhook.namespace", f.Webhook.Resource, f.Webhook.Namespace)
	if f.Draw != nil && f.Draw.Actor != nil {
		v.fail(at+".draw.actor", "nth: 1..12", "a rule about webhooks has no actor")
	}
	if f.RetryAfter != nil {
		v.fail(at+".retryAfter", "remove the line", "the API server does not call a webhook again")
	}
}

// faultKubelet checks which Pods a rule is about.
func (v *validator) faultKubelet(at string, f *FaultRule) {
	v.faultGlob(at+".kubelet.node", f.Kubelet.Node)
	v.faultGlob(at+".kubelet.name", f.Kubelet.Name)
	if f.Draw != nil && f.Draw.Actor != nil {
		v.fail(at+".draw.actor", "nth: 1..12", "a rule about kubelets has no actor")
	}
}

// faultNever finds what no request has: a rule that asks for it could never strike.
func (v *validator) faultNever(at string, r *FaultRequest) {
	switch r.Verb {
	case "get", "list", "watch":
		if r.Write > 0 {
			v.fail(at+".write", "verb: update, or remove the line", "the rule never applies: %s is not a write", r.Verb)
		}
	}
	switch r.Verb {
	case "list", "watch", "deletecollection":
		if r.Name != "" {
			v.fail(at+".name", "remove the line", "the rule never applies: %s concerns many objects and has no name", r.Verb)
		}
	}
	v.faultNamespace(at+".namespace", r.Resource, r.Namespace)
}

func (v *validator) faultNamespace(at, resource, namespace string) {
	if k := v.scenario.Kinds().Named(resource); k != nil && !k.Namespaced && namespace != "" {
		v.fail(at, "remove the line", "the rule never applies: a %s has no namespace", k.Kind)
	}
}

func (v *validator) faultResource(at, resource string) {
	if resource == "" {
		return
	}
	if v.scenario.Kinds().Named(resource) == nil {
		try := notation.NearestResource(v.scenario.Kinds(), resource)
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
