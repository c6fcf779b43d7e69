package verb

import (
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/network/fault"
)

// Rule converts a fault of the scenario, which names kinds of the table, to one of the simulation, which begins at a virtual
// time. place is its position in the file.
func Rule(table *kinds.Table, f *format.FaultRule, place string, from time.Duration) *fault.Rule {
	rule := &fault.Rule{Name: place, Nth: f.Nth, Times: f.Times, From: from, Effect: effectOf(f)}
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
			Condition: r.Where,
		}
		rule.Match.Resource, rule.Match.Group = ResourceOf(table, r.Resource)
	}
	if w := f.Watch; w != nil {
		rule.Place = fault.Watches
		rule.Match = fault.Match{Actor: w.Actor, Verb: w.Type, Namespace: w.Namespace, ObjectName: w.Name, Condition: w.Where}
		rule.Match.Resource, rule.Match.Group = ResourceOf(table, w.Resource)
	}
	if w := f.Webhook; w != nil {
		rule.Place = fault.Webhooks
		rule.Match = fault.Match{Webhook: w.Name, Verb: w.Operation, Namespace: w.Namespace, Subresource: "*"}
		rule.Match.Resource, rule.Match.Group = ResourceOf(table, w.Resource)
	}
	if k := f.Kubelet; k != nil {
		rule.Place = fault.Kubelets
		rule.Match = fault.Match{Node: k.Node, Namespace: k.Namespace, ObjectName: k.Name, Condition: k.Where}
	}
	if t := f.Timer; t != nil {
		rule.Place = fault.Timers
		rule.Match = fault.Match{Actor: t.Actor, Namespace: t.Namespace, ObjectName: t.Name}
	}
	return rule
}

// ResourceOf is the plural name of a kind, and its group.
func ResourceOf(table *kinds.Table, name string) (resource, group string) {
	kind := table.Named(name)
	if kind == nil {
		return "", ""
	}
	return kind.Resource, kind.Group
}

func effectOf(f *format.FaultRule) fault.Effect {
	effect := fault.Effect{
		Hold: f.Hold, AfterCommit: f.AfterCommit, Reason: f.Fail, Code: notation.StatusCode(f.Fail),
		Coalesce: f.Coalesce, Disconnect: f.Disconnect, Expire: f.Expire, Crash: f.Crash,
		Reject: f.Reject,
	}
	if f.Restart != nil {
		effect.Restart = f.Restart.Duration
	}
	if f.Stale != nil {
		effect.Stale = f.Stale.Duration
	}
	if f.AsOf != nil {
		effect.AsOf = f.AsOf.Duration
	}
	if f.RetryAfter != nil {
		effect.RetryAfter = f.RetryAfter.Duration
	}
	if f.Delay != nil {
		effect.DelayMin, effect.DelayMax = f.Delay.Min, f.Delay.Max
	}
	if f.ResponseDelay != nil {
		effect.ResponseMin, effect.ResponseMax = f.ResponseDelay.Min, f.ResponseDelay.Max
	}
	return effect
}

// ruleText is how a fault reads in the trace. A step does not know when it begins, so it says for how long.
func ruleText(f *format.FaultRule) string {
	if f.For == nil || f.At != nil || f.Node != nil {
		return contentOf(f)
	}
	endless := *f
	endless.For, endless.Draw = nil, nil
	text := contentOf(&endless) + ", for " + f.For.String()
	if f.Draw != nil {
		text += ", drawn: " + f.Draw.String()
	}
	return text
}

// contentOf is all that a fault does, as if it began with the scenario. It is what tells draws of faults without a name apart: with other
// words, each seed would draw another point.
func contentOf(f *format.FaultRule) string {
	if f.Release != "" {
		return "release " + f.Release
	}
	from := time.Duration(0)
	if f.At != nil {
		from = f.At.Duration
	}
	rule := Rule(kinds.BuiltIn(), f, "", from)
	if rule.Match.Resource == "" {
		// A kind that the scenario defines has the name that the scenario gives it.
		switch {
		case f.Request != nil:
			rule.Match.Resource = f.Request.Resource
		case f.Watch != nil:
			rule.Match.Resource = f.Watch.Resource
		}
	}
	text := rule.String()
	if f.Node != nil {
		text = "node: " + f.Node.String()
		switch {
		case f.Until != nil:
			text += ", until " + f.Until.String()
		case f.For != nil:
			text += ", for " + f.For.String()
		}
	}
	if f.Draw != nil {
		text += ", drawn: " + f.Draw.String()
	}
	return text
}

// DescribeFault describes a rule of spec.faults in one line: when it applies, and its effect.
func DescribeFault(f format.FaultRule) string {
	text := ruleText(&f)
	if f.When != "" {
		text = "when " + f.When + ": " + text
	}
	if f.At != nil {
		text = "at " + f.At.String() + ": " + text
	}
	return text
}
