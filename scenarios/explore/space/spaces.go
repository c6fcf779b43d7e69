package space

import (
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
)

// flakyAPI draws up to three rules. A controller tries again after 5 ms, 10 ms and so on, and drops the key after 15
// failures in a row, which take 164 s; what it does in between, or no longer, is what there is to see. So some draws are
// a single error, and some are long.
var flakyAPI = Space{
	Name:     "flaky-api",
	Sentence: "Writes of controllers fail: a single one, several in a row, or all for a while.",
	Draws: "one to three times: which write of which controller, from which occurrence on, 1, 2, 3, 8 or 16 in a row or all for 1s to " +
		"200s; the error, and whether the write is executed nevertheless",
	draw: func(d *dice, p *Profile) (rules []format.FaultRule) {
		for more := len(p.requests) > 0; more; more = len(rules) < 3 && d.chance(40) {
			rules = append(rules, flaky(d, one(d, p.requests...)))
		}
		return p.ending(rules)
	},
}

func flaky(d *dice, r *requests) format.FaultRule {
	rule := format.FaultRule{Request: &format.FaultRequest{
		Actor: r.actor, Verb: r.verb, Resource: notation.Plural(r.resource), Subresource: r.subresource,
	}}
	rule.Fail = one(d, "InternalError", "InternalError", "ServiceUnavailable", "Timeout", "Conflict")
	switch {
	case rule.Fail == "Conflict" && r.verb == "create":
		rule.Fail = "InternalError"
	case rule.Fail == "Timeout":
		rule.AfterCommit = d.chance(50)
	}
	if d.chance(50) {
		rule.Nth, rule.Times = 1+d.upTo(len(r.at)), one(d, 1, 2, 3, 8, 8, 16)
	} else {
		rule.At = notation.NewDuration(d.from(r.at))
		rule.For = notation.NewDuration(one(d, time.Second, 10*time.Second, time.Minute, 200*time.Second))
	}
	return rule
}

// staleCaches holds events back, which is a slow watch; coalesces them, which is an API server that drops what a slow
// client has not read; or ends the watch, after which the client waits for its list. That is never older than what the client has seen.
var staleCaches = Space{
	Name:     "stale-caches",
	Sentence: "Caches of controllers are behind: their watch events arrive late, or their lists after the end of a watch.",
	Draws: "once or twice: which cache, from about which event on, and for 100ms to 2m; whether events are coalesced, or the watch " +
		"ends and the list takes 5s to 1m",
	draw: func(d *dice, p *Profile) (rules []format.FaultRule) {
		for more := len(p.caches) > 0; more; more = len(rules) < 2 && d.chance(50) {
			rules = append(rules, stale(d, one(d, p.caches...))...)
		}
		return p.ending(rules)
	},
}

func stale(d *dice, c *cache) []format.FaultRule {
	watch := &format.FaultWatch{Actor: c.actor, Resource: notation.Plural(c.resource)}
	if d.chance(25) {
		length := one(d, 5*time.Second, 20*time.Second, time.Minute)
		return []format.FaultRule{
			{
				Request: &format.FaultRequest{Actor: c.actor, Verb: "list", Resource: notation.Plural(c.resource)},
				Delay:   &notation.Delay{Min: length, Max: length}, Times: 1,
			},
			{Watch: watch, Expire: true, Nth: 1 + d.upTo(len(c.at)), Times: 1},
		}
	}
	return []format.FaultRule{{
		Watch: watch, Hold: true, Coalesce: d.chance(30), At: notation.NewDuration(d.from(c.at)),
		For: notation.NewDuration(one(d, 100*time.Millisecond, time.Second, 5*time.Second, 30*time.Second, 2*time.Minute)),
	}}
}

// crashAnywhere crashes between the execution of a write and its answer, where a process forgets most.
var crashAnywhere = Space{
	Name:     "crash-anywhere",
	Sentence: "A process with controllers crashes right after one of its writes, and starts again.",
	Draws:    "after which write of which controller, once or twice, and 1s to 30s until the process starts again",
	draw: func(d *dice, p *Profile) []format.FaultRule {
		if len(p.requests) == 0 {
			return nil
		}
		r := one(d, p.requests...)
		return p.ending([]format.FaultRule{{
			Request: &format.FaultRequest{Actor: r.actor, Verb: r.verb, Resource: notation.Plural(r.resource), Subresource: r.subresource},
			Crash:   true, Nth: 1 + d.upTo(len(r.at)), Times: one(d, 1, 1, 1, 2),
			Restart: notation.NewDuration(one(d, time.Second, 5*time.Second, 30*time.Second)),
		}})
	},
}

// nodeLoss outlasts what node-lifecycle-controller tolerates (40 s), and sometimes what Pods tolerate (5 m).
var nodeLoss = Space{
	Name:     "node-loss",
	Sentence: "A node that has Pods loses its power or its network.",
	Draws:    "which node, at which moment, power or network, and for 20s, 2m, 6m or until the end of the run",
	draw: func(d *dice, p *Profile) []format.FaultRule {
		moments := p.moments()
		if len(p.nodes) == 0 || len(moments) == 0 {
			return nil
		}
		rule := format.FaultRule{At: notation.NewDuration(d.from(moments)), Node: &format.FaultNode{}}
		if name := one(d, p.nodes...); d.chance(50) {
			rule.Node.Fail = name
		} else {
			rule.Node.Partition = name
		}
		if length := one(d, 20*time.Second, 2*time.Minute, 6*time.Minute, 0); length > 0 {
			rule.For = notation.NewDuration(length)
		}
		return []format.FaultRule{rule}
	},
}

// slowNetwork delays requests on their way to the server, and watch events on their way back. Each delay is drawn, so
// requests of different controllers overtake each other; the events of one watch keep their order.
var slowNetwork = Space{
	Name:     "slow-network",
	Sentence: "Requests and watch events take longer.",
	Draws:    "up to 100ms, 1s or 5s; requests, watch events or both; for the whole run, or for a minute",
	draw: func(d *dice, p *Profile) (rules []format.FaultRule) {
		moments := p.moments()
		if len(moments) == 0 {
			return nil
		}
		longest := one(d, 100*time.Millisecond, time.Second, 5*time.Second)
		delay := &notation.Delay{Min: longest / 20, Max: longest}
		which := d.upTo(3)
		if which != 0 {
			rules = append(rules, format.FaultRule{Request: &format.FaultRequest{}, Delay: delay})
		}
		if which != 1 {
			rules = append(rules, format.FaultRule{Watch: &format.FaultWatch{}, Delay: delay})
		}
		if d.chance(50) {
			at := d.from(moments)
			for i := range rules {
				rules[i].At, rules[i].For = notation.NewDuration(at), notation.NewDuration(time.Minute)
			}
		}
		return rules
	},
}

// lastFault is how long after the last write of the run without faults a rule can apply for the last time: a controller
// has then retried 15 times. A run whose rules can still apply is not at rest.
const lastFault = 4 * time.Minute

// ending ends rules that would wait for more requests to apply to.
func (p *Profile) ending(rules []format.FaultRule) []format.FaultRule {
	moments := p.moments()
	for i := range rules {
		if rules[i].For == nil && len(moments) > 0 {
			rules[i].Until = notation.NewDuration((moments[len(moments)-1] + lastFault).Round(time.Second))
		}
	}
	return rules
}
