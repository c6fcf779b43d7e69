package network

import (
	"time"

	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/trace"
)

// Arm adds a rule, on the engine's goroutine. cause is the record that requests it.
func (n *Network) Arm(rule *fault.Rule, cause int64) {
	n.faults.set.Add(rule)
	if rule.CutsAtOnce() {
		n.faultAt(rule, rule.From, "cut", func() { n.cutAll(rule) })
		return
	}
	if rule.Until > 0 {
		n.faultAt(rule, rule.Until, "end", func() { n.endRule(rule, 0) })
	}
}

// faultAt schedules what a rule does at a time. Each event that is scheduled draws its place among others of its time, and so moves the
// places of all later ones. That of a rule which is Apart draws none, and comes first.
func (n *Network) faultAt(rule *fault.Rule, at time.Duration, what string, run func()) {
	if rule.Apart {
		n.Engine.FirstAt(at, 0, run)
		return
	}
	n.Engine.At(at, "fault|"+what+"|"+rule.Name, run)
}

// Release ends the rules of a name, on the engine's goroutine, and releases what they held. It reports whether there
// were any.
func (n *Network) Release(name string, cause int64) bool {
	rules := n.faults.set.End(name)
	for _, rule := range rules {
		n.endRule(rule, cause)
	}
	return len(rules) > 0
}

// endRule releases what a rule held.
func (n *Network) endRule(rule *fault.Rule, cause int64) {
	n.faults.set.End(rule.Name)
	waiting := n.faults.held[rule]
	delete(n.faults.held, rule)
	count := len(waiting)
	for _, st := range n.streams.all {
		count += st.countHeld(rule)
	}
	if count > 0 {
		seq := n.Recorder.Emit(&trace.Record{Kind: trace.KindFault, Cause: cause, Fault: &trace.Fault{
			Rule: rule.Name, Effect: trace.EffectRelease, Count: count,
		}})
		for _, st := range n.streams.all {
			st.release(rule, seq)
		}
	}
	now := n.Engine.Now()
	for _, h := range waiting {
		n.Engine.Schedule(&engine.Event{
			Key: "fault|release|" + rule.Name, Due: func() time.Duration { return now },
			Run: h.resume, Abandon: h.abandon,
		})
	}
}
