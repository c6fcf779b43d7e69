package network

import (
	"slices"
	"time"

	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/trace"
)

// MayDelayTimer reports whether a rule may apply to a delayed addition that an actor asks for now. Any goroutine of the simulation may call
// it.
func (n *Network) MayDelayTimer(actor string) bool {
	now := n.Engine.Now()
	return slices.ContainsFunc(n.faults.set.Rules(), func(rule *fault.Rule) bool {
		return rule.Place == fault.Timers && now >= rule.From && !rule.IsOver(now) && rule.MatchesActor(actor)
	})
}

// DelayTimer applies the rules to a delayed addition of a key to the work queue of an actor, on the engine's goroutine, and returns how
// late it is. cause is the record of the sync that asks for it.
func (n *Network) DelayTimer(actor, namespace, name string, cause int64) (late time.Duration) {
	subject := fault.Subject{Actor: actor, Namespace: namespace, Name: name}
	for _, rule := range n.faults.set.Trigger(fault.Timers, n.Engine.Now(), subject) {
		n.Recorder.Emit(&trace.Record{Kind: trace.KindFault, Actor: actor, Cause: cause, Fault: &trace.Fault{
			Rule: rule.Name, Effect: rule.Effect.String(), Verb: trace.VerbTimer, Object: trace.Object{Namespace: namespace, Name: name},
		}})
		late += n.Engine.Draw("fault|delay|"+rule.Name, rule.Effect.DelayMin, rule.Effect.DelayMax)
	}
	return late
}
