package runner

import (
	"fmt"
	"slices"
	"time"

	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/controller/apis/config"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant"
	"github.com/kubestep/kubestep/scenarios/verdict/liveness"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/trace"
)

// Process implements invariant.World.
func (r *run) Process(actor string) (name string, works bool) {
	if r.control == nil {
		return "", false
	}
	if r.idle[actor] {
		return "", false
	}
	return r.control.Process(actor)
}

// Configuration implements invariant.World.
func (r *run) Configuration() *config.KubeControllerManagerConfiguration { return r.config }

// Date implements invariant.World.
func (r *run) Date() time.Time { return r.sim.Engine.Date() }

// restAfter is how long nothing may have been written until a simulation counts as at rest.
const restAfter = liveness.Patience

// Restless implements invariant.World.
func (r *run) Restless() string {
	now := r.Now()
	if now-r.writes.last < restAfter {
		return "the last write was less than a minute ago"
	}
	if fault := r.Acting(); fault != "" {
		return "the fault " + fault + " acts"
	}
	return r.due()
}

// Acting implements invariant.World.
func (r *run) Acting() string {
	for _, rule := range r.sim.Faults() {
		if rule.Acts(r.Now(), restAfter) {
			return rule.Name
		}
	}
	return ""
}

// Interferes implements invariant.World.
func (r *run) Interferes(actor string, since time.Duration) bool {
	same := r.sameProcess(actor)
	return slices.ContainsFunc(r.sim.Faults(), func(rule *fault.Rule) bool { return rule.Interferes(r.Now(), same, since) })
}

// Interfered implements invariant.World.
func (r *run) Interfered(actor string, since time.Duration) bool {
	same := r.sameProcess(actor)
	return slices.ContainsFunc(r.sim.Faults(), func(rule *fault.Rule) bool { return rule.Interfered(same, since) })
}

// sameProcess reports whether another actor is in the process of an actor.
func (r *run) sameProcess(actor string) func(other string) bool {
	process, _ := r.Process(actor)
	return func(other string) bool {
		name, _ := r.Process(other)
		return other == actor || name != "" && name == process
	}
}

// due is an event that will change something, empty if there is none.
func (r *run) due() string {
	due := ""
	r.sim.Engine.Scheduled(func(event *engine.Event, _ time.Duration) bool {
		if event.Class == engine.Component {
			due = event.Key
		}
		return due == ""
	})
	return due
}

// idleControllers are those of kube-controller-manager that do not run in a scenario.
func idleControllers(s *format.Scenario) map[string]bool {
	idle := map[string]bool{}
	for _, d := range controllers.Descriptors() {
		idle[d.Name] = !controllers.IsEnabled(s.Spec.Kubernetes.Controllers, d.Name)
	}
	return idle
}

// Cache implements invariant.World.
func (r *run) Cache(actor, resource string) cache.Store { return r.sim.Cache(actor, resource) }

// IsCutOff implements invariant.World.
func (r *run) IsCutOff(node string) bool {
	return r.kubelets.IsCutOff(node) || r.control != nil && r.control.IsCutOff(node)
}

// lookInvariants records what broke since the last look, on the engine's goroutine.
func (r *run) lookInvariants() {
	for _, breach := range r.invariants.Breaches() {
		check := r.invariantResult(invariant.Result{Name: breach.Invariant, Breaches: 1, First: breach})
		r.sim.Recorder.Emit(&trace.Record{Kind: trace.KindCheck, Cause: breach.Cause, Check: &trace.Check{
			Name: check.Name, Passed: check.Result == Pass, Message: check.Message,
		}})
	}
}

// finishInvariants settles what can be said at the end only.
func (r *run) finishInvariants() {
	r.invariants.End()
	r.lookInvariants()
	for _, name := range r.expected() {
		if !r.hasBroken(name) {
			r.sim.Recorder.Emit(&trace.Record{Kind: trace.KindCheck, Check: &trace.Check{Name: name, Message: neverBroken}})
		}
	}
}

// expected are the invariants that the scenario breaks, with its faults.
func (r *run) expected() []string {
	if r.without != nil {
		return nil
	}
	return r.scenario.Spec.Invariants.Expect
}

// neverBroken is the message of an invariant that held although the scenario expects it to break.
const neverBroken = "expected to be broken, but it held; remove it from spec.invariants.expect"

func (r *run) hasBroken(name string) bool {
	return slices.ContainsFunc(r.invariants.Results(), func(result invariant.Result) bool {
		return result.Name == name && result.Breaches > 0
	})
}

// invariantResults is how the invariants fared of which there was something to look at.
func (r *run) invariantResults() []CheckResult {
	var out []CheckResult
	expect := r.expected()
	for _, result := range r.invariants.Results() {
		out = append(out, r.invariantResult(result))
	}
	for _, name := range expect {
		if !slices.ContainsFunc(out, func(check CheckResult) bool { return check.Name == name }) {
			out = append(out, r.invariantResult(invariant.Result{Name: name}))
		}
	}
	return out
}

// invariantResult is how one invariant fared. An invariant that the scenario expects to break fails if it holds.
func (r *run) invariantResult(result invariant.Result) CheckResult {
	check := CheckResult{Name: result.Name, Result: Pass, Message: "never broken", Invariant: true}
	check.Stuck, check.Requeue, check.Hot = result.First.Stuck, result.First.Requeue, result.First.Hot
	if result.Breaches > 0 {
		check.Result, check.Message = Fail, result.First.Message
		if more := result.Breaches - 1; more > 0 {
			check.Message += fmt.Sprintf(" (and %d more)", more)
		}
	}
	switch expected := slices.Contains(r.expected(), result.Name); {
	case expected && result.Breaches > 0:
		check.Result, check.Message = Pass, "broken, as expected: "+check.Message
	case expected:
		check.Result, check.Message = Fail, neverBroken
	}
	return check
}
