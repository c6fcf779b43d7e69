package scenarios

import (
	"context"
	"time"

	"github.com/kubestep/kubestep/sim/fault"
)

// FaultPath is the field path of a standing rule: FaultPath(1) is spec.faults[1].
func FaultPath(i int) string { return itemPath("spec.faults", i) }

// rule turns a fault of the scenario into one of the world, which begins at an instant. place is its place in
// the file.
func (f *FaultRule) rule(place string, from time.Duration) *fault.Rule {
	rule := &fault.Rule{Name: place, Nth: f.Nth, Times: f.Times, From: from, Effect: f.effect()}
	if f.Name != "" {
		rule.Name = f.Name
	}
	if f.Probability != nil {
		rule.Probability = *f.Probability
	}
	switch {
	case f.Until != nil:
		rule.Until = f.Until.Duration
	case f.For != nil:
		rule.Until = from + f.For.Duration
	}
	if r := f.Request; r != nil {
		rule.Match = fault.Match{
			Actor: r.Actor, Verb: r.Verb, Subresource: r.Subresource, Namespace: r.Namespace, ObjectName: r.Name, Write: r.Write,
		}
		rule.Match.Resource, rule.Match.Group = resourceOf(r.Resource)
	}
	if w := f.Watch; w != nil {
		rule.Place = fault.Watches
		rule.Match = fault.Match{Actor: w.Actor, Verb: w.Type, Namespace: w.Namespace, ObjectName: w.Name}
		rule.Match.Resource, rule.Match.Group = resourceOf(w.Resource)
	}
	return rule
}

// resourceOf is the plural name of a kind, and its group.
func resourceOf(name string) (resource, group string) {
	if name == "" {
		return "", ""
	}
	gvr, _, _, _ := ResolveResource(name)
	return gvr.Resource, gvr.Group
}

func (f *FaultRule) effect() fault.Effect {
	effect := fault.Effect{
		Hold: f.Hold, AfterCommit: f.AfterCommit, Reason: f.Fail, Code: codeOf(f.Fail),
		Coalesce: f.Coalesce, Disconnect: f.Disconnect, Expire: f.Expire, Crash: f.Crash,
	}
	if f.Restart != nil {
		effect.Restart = f.Restart.Duration
	}
	if f.Stale != nil {
		effect.Stale = f.Stale.Duration
	}
	if f.RetryAfter != nil {
		effect.RetryAfter = f.RetryAfter.Duration
	}
	if f.Delay != nil {
		effect.DelayMin, effect.DelayMax = f.Delay.Min, f.Delay.Max
	}
	return effect
}

// codeOf is the HTTP code of a status reason, 0 for none.
func codeOf(reason string) int {
	for _, r := range statusReasons {
		if string(r.reason) == reason {
			return r.code
		}
	}
	return 0
}

// armFaults makes the standing rules hold.
func (r *run) armFaults() error {
	if r.unperturbed {
		return nil
	}
	for i := range r.scenario.Spec.Faults {
		path := FaultPath(i)
		f := r.drawn(&r.scenario.Spec.Faults[i], path, 0)
		from := time.Duration(0)
		if f.At != nil {
			from = f.At.Duration
		}
		if f.When == "" {
			r.sim.Arm(f.rule(path, from), 0)
			continue
		}
		condition, err := r.compile(path+".when", f.When)
		if err != nil {
			return err
		}
		r.sim.Go(User, func(ctx context.Context) {
			if sleep(ctx, from-r.sim.Engine.Now()) != nil || r.waitAside(ctx, conditionMet(condition)) != nil {
				return
			}
			r.sim.Engine.Call("fault|arm|"+path, func() { r.sim.Arm(f.rule(path, r.Now()), 0) })
		})
	}
	return nil
}

// faultStep makes the rule of a step hold, or ends one.
func faultStep(_ context.Context, r *run, i int, st Step) error {
	f, path := st.Fault, StepPath(i)
	cause := r.taskSeq()
	r.sim.Engine.Call("fault|step|"+path, func() {
		if f.Release != "" {
			r.sim.Release(f.Release, cause())
			return
		}
		r.sim.Arm(r.drawn(f, path, cause()).rule(path, r.Now()), cause())
	})
	return nil
}

// taskSeq returns what tells the number of the record of the step that is being taken.
func (r *run) taskSeq() func() int64 {
	if a := r.sim.Activities.Current(); a != nil {
		if task, ok := a.Task.(*step); ok {
			return task.Seq
		}
	}
	return func() int64 { return 0 }
}

// faultText is how a fault reads in the trace.
func faultText(f *FaultRule) string {
	if f.Release != "" {
		return "release " + f.Release
	}
	text := f.rule("", 0).String()
	if f.Draw != nil {
		text += ", drawn: " + f.Draw.String()
	}
	return text
}

// warnings tells of the rules that never struck.
func (r *run) warnings() []string {
	var found []string
	for _, rule := range r.sim.Faults() {
		// What pauses a process is no rule of the scenario.
		if why := rule.WhyUnused(); why != "" && rule.Owns == nil {
			found = append(found, rule.Name+" "+why)
		}
	}
	if r.unperturbed {
		return nil
	}
	for i, f := range r.scenario.Spec.Faults {
		if f.When != "" && !r.armed(f, i) {
			found = append(found, (&f).rule(FaultPath(i), 0).Name+" never held: its condition was not met: "+f.When)
		}
	}
	return found
}

func (r *run) armed(f FaultRule, i int) bool {
	name := f.rule(FaultPath(i), 0).Name
	for _, rule := range r.sim.Faults() {
		if rule.Name == name {
			return true
		}
	}
	return false
}
