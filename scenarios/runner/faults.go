package runner

import (
	"context"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/annotation"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/trace"
)

// armFaults makes the standing rules hold. disturb, if set, decides about those that are apart (RunOptions.Disturb).
func (r *run) armFaults(disturb func(now time.Duration) ([]format.FaultRule, time.Duration)) {
	own := len(r.scenario.Spec.Faults) - r.apart
	for i := range r.scenario.Spec.Faults[:own] {
		if path := format.FaultPath(i); !r.leavesOut(path) {
			r.armFault(r.drawnRule(&r.scenario.Spec.Faults[i], path, path, 0), path)
		}
	}
	if disturb == nil {
		r.armApart(own)
		return
	}
	r.askDisturb(own, disturb)
}

// armApart makes the standing rules from an index on hold, each from its time on. They are apart.
func (r *run) armApart(from int) {
	for i := from; i < len(r.scenario.Spec.Faults); i++ {
		f, path := &r.scenario.Spec.Faults[i], format.FaultPath(i)
		if r.leavesOut(path) {
			continue
		}
		rule := r.rule(f, path, path, f.Begin())
		rule.Apart = true
		r.sim.Arm(rule, 0)
	}
}

// askDisturb asks which rules the run has instead of those from an index on, now or later.
func (r *run) askDisturb(own int, disturb func(now time.Duration) ([]format.FaultRule, time.Duration)) {
	switch faults, again := disturb(r.Now()); {
	case len(faults) > 0:
		scenario := *r.scenario
		scenario.Spec.Faults = slices.Concat(scenario.Spec.Faults[:own], faults)
		r.scenario = &scenario
		r.armApart(own)
	case again > r.Now():
		r.sim.Engine.FirstAt(again, 0, func() { r.askDisturb(own, disturb) })
	default:
		r.sim.Engine.Stop()
	}
}

// leavesOut reports whether the run leaves out the fault at a path.
func (r *run) leavesOut(path string) bool { return r.without != nil && r.without(path) }

// armFault makes one standing rule hold from its time on, or from the time at which its condition is true.
func (r *run) armFault(f *format.FaultRule, path string) {
	from := f.Begin()
	if f.When == "" && f.Node == nil {
		r.sim.Arm(r.rule(f, path, path, from), 0)
		return
	}
	condition := r.conditions[path+".when"]
	r.ending.faults.Add(1)
	r.sim.Go(verb.User, func(ctx context.Context) {
		defer r.ending.faults.Add(-1)
		if sleep(ctx, from-r.sim.Engine.Now()) != nil || condition != nil && r.wait(ctx, aside, conditionMet(condition), 0) != nil {
			return
		}
		if f.Node != nil {
			r.loseNode(ctx, f, path)
			return
		}
		r.sim.Engine.Call("fault|arm|"+path, func() { r.sim.Arm(r.rule(f, path, path, r.Now()), 0) })
	})
}

// rule is a fault of the simulation, with its condition on objects. path is where the fault is in the scenario, and place
// what it is called if it has no name.
func (r *run) rule(f *format.FaultRule, path, place string, from time.Duration) *fault.Rule {
	rule := verb.Rule(r.scenario.Kinds(), f, place, from)
	for _, field := range []string{".request.where", ".watch.where", ".kubelet.where"} {
		if condition := r.conditions[path+field]; condition != nil {
			rule.Match.Where = func(object runtime.Object) bool { return condition.Matches(r, object) }
		}
	}
	return rule
}

// loseNode makes a node fail, or disconnects it, and recovers it when the rule ends.
func (r *run) loseNode(ctx context.Context, f *format.FaultRule, path string) {
	rule, node := verb.Rule(r.scenario.Kinds(), f, path, r.Now()), f.Node.Name()
	var cause int64
	say := func(effect string) {
		r.sim.Engine.Call("fault|node|"+rule.Name, func() {
			cause = r.sim.Recorder.Emit(&trace.Record{Kind: trace.KindFault, Fault: &trace.Fault{
				Rule: rule.Name, Effect: effect, Object: trace.Object{Resource: "nodes", Name: node},
			}})
		})
	}
	kubelets := r.kubeletsFor(func() int64 { return cause })
	r.applied.Store(true)
	if f.Node.Fail != "" {
		say(trace.EffectFail)
		kubelets.Fail(node)
	} else {
		say(trace.EffectPartition)
		kubelets.Partition(node)
	}
	if rule.Until == 0 || sleep(ctx, rule.Until-r.Now()) != nil {
		return
	}
	say(trace.EffectRecover)
	kubelets.Recover(node)
}

// drawnRule is the point of a fault in this run, which the trace tells of when it begins. It must be called on the
// engine's goroutine.
//
// path is where the fault is in the scenario, and place what it is called if it has no name.
func (r *run) drawnRule(f *format.FaultRule, path, place string, cause int64) *format.FaultRule {
	if f.Draw == nil {
		return f
	}
	drawn := r.points[path]
	rule, from := verb.Rule(r.scenario.Kinds(), &drawn, place, 0), max(r.Now(), 0)
	if drawn.At != nil {
		from = max(from, drawn.At.Duration)
	}
	r.sim.Engine.At(from, "fault|drawn", func() {
		r.sim.Recorder.Emit(&trace.Record{Kind: trace.KindFault, Cause: cause, Fault: &trace.Fault{
			Rule: rule.Name, Effect: trace.DrawnEffect(verb.DrawnText(f.Draw, &drawn, rule)),
		}})
	})
	return &drawn
}

// warnings tells of the rules that never fired, of programs that never ran, and of checks that tested nothing for a time.
func (r *run) warnings() []string {
	var found []string
	if different := annotation.Differs(r.scenario.Metadata.Annotations, controllers.KubernetesVersion); different != "" {
		found = append(found, different)
	}
	for _, rule := range r.sim.Faults() {
		// What pauses a process is not a rule of the scenario.
		if why := rule.WhyUnused(); why != "" && rule.Owns == nil {
			found = append(found, rule.Name+" "+why)
		}
	}
	for i, f := range r.scenario.Spec.Faults {
		if !r.leavesOut(format.FaultPath(i)) && f.When != "" && f.Node == nil && len(r.armed(f, i)) == 0 {
			name := verb.Rule(r.scenario.Kinds(), &f, format.FaultPath(i), 0).Name
			found = append(found, name+" was never active: its condition was never true: "+f.When)
		}
	}
	return slices.Concat(found, r.unusedPrograms(), r.lateChecks())
}

// hasApplied reports whether a fault of spec.faults has applied so far.
func (r *run) hasApplied() bool {
	if r.applied.Load() {
		return true
	}
	used := func(rule *fault.Rule) bool { return rule.WhyUnused() == "" }
	for i, f := range r.scenario.Spec.Faults {
		if slices.ContainsFunc(r.armed(f, i), used) {
			return true
		}
	}
	return false
}

// armed are the rules of the network that come of a fault; none before its condition holds.
func (r *run) armed(f format.FaultRule, i int) (rules []*fault.Rule) {
	name := verb.Rule(r.scenario.Kinds(), &f, format.FaultPath(i), 0).Name
	for _, rule := range r.sim.Faults() {
		if rule.Name == name {
			rules = append(rules, rule)
		}
	}
	return rules
}
