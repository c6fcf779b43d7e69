package network

import (
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/trace"
)

// intercept applies the rules to a request that arrives at the server. It returns true if the request must not be
// executed now; in that case resume is called later.
func (n *Network) intercept(c *call, resume func()) bool {
	if c.checked {
		return false
	}
	c.checked = true
	var delay time.Duration
	for _, rule := range n.faults.set.Trigger(fault.Requests, n.Engine.Now(), n.subject(c)) {
		c.faultSeq = n.recordFault(rule, c)
		switch effect := rule.Effect; {
		case effect.Hold:
			n.faults.held[rule] = append(n.faults.held[rule], held{resume, c.abandon})
			return true
		case effect.DelayMax > 0:
			delay += n.Engine.Draw("fault|delay|"+rule.Name, effect.DelayMin, effect.DelayMax)
		case effect.ResponseMax > 0:
			c.late += n.Engine.Draw("fault|response|"+rule.Name, effect.ResponseMin, effect.ResponseMax)
		}
		c.rule = rule
	}
	if delay == 0 {
		return false
	}
	n.schedule(c, n.Engine.Now()+delay, resume)
	return true
}

// crash ends the process that sent a request, if a rule says so.
func (n *Network) crash(c *call) {
	if c.rule != nil && c.rule.Effect.Crash && n.faults.crash != nil {
		n.faults.crash(c.request.Actor, c.rule, c.faultSeq)
	}
}

// subject describes a request to the rules.
func (n *Network) subject(c *call) fault.Subject {
	req := c.request
	subject := fault.Subject{
		Actor: req.Actor, Verb: req.Verb, Resource: req.Resource.Resource, Group: req.Resource.Group,
		Subresource: req.Subresource, Namespace: req.Namespace, Name: requestName(req),
	}
	subject.Object = func() runtime.Object {
		if req.Object != nil {
			return req.Object
		}
		object, _ := n.options.Stored(req.Resource.GroupResource(), req.Namespace, req.Name)
		return object
	}
	// Events are written by a separate goroutine and belong to no sync.
	if c.task != nil && req.Writes() {
		n.faults.writes[c.task.Seq()]++
		subject.Write = n.faults.writes[c.task.Seq()]
	}
	return subject
}

// recordFault records that a request triggers a rule.
func (n *Network) recordFault(rule *fault.Rule, c *call) int64 {
	req := c.request
	return n.Recorder.Emit(&trace.Record{Kind: trace.KindFault, Actor: req.Actor, Cause: c.cause(), Fault: &trace.Fault{
		Rule: rule.Name, Effect: rule.Effect.String(), Verb: req.Verb,
		Object: objectOf(req.Resource, req.Namespace, requestName(req)), Subresource: req.Subresource,
	}})
}

// notOlder is the revision of a stale list. A client that names the last resourceVersion that it has seen gets a state that is not older:
// an API server whose watch cache is behind waits until it is not. So a reflector does not go back in time when its watch has expired, and
// only the list of a process that starts, which names 0, can be older than what a process has acted on.
func notOlder(past uint64, asked string) string {
	seen, _ := strconv.ParseUint(asked, 10, 64) // None if the client names nothing.
	return strconv.FormatUint(max(past, seen), 10)
}

// withFault returns do with the effect of the rule that applies to the request.
func (n *Network) withFault(c *call, do executor) executor {
	effect := c.rule.Effect
	return func(req apiserver.Request) (runtime.Object, error) {
		if past := effect.AsOf; (effect.Stale > 0 || past > 0) && req.Verb == "list" {
			if effect.Stale > 0 {
				past = n.Engine.Now() - effect.Stale
			}
			req.ListOptions.ResourceVersion = notOlder(n.written.revisionAt(past), req.ListOptions.ResourceVersion)
			req.ListOptions.ResourceVersionMatch = metav1.ResourceVersionMatchExact
		}
		if effect.Refuses() && !effect.AfterCommit {
			return nil, refusal(c.rule, req)
		}
		object, err := do(req)
		if effect.Refuses() {
			return nil, refusal(c.rule, req)
		}
		return object, err
	}
}
