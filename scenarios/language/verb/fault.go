package verb

import (
	"context"
	"fmt"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
)

// faultRow is a fault rule that holds from the step on, or the end of one.
var faultRow = Row{
	Syntax: format.Syntax{
		Of:  new(Fault),
		Doc: "Starts a fault rule from here on, or ends one.",
		Example: `# Two updates of ReplicaSets fail before anything is written.
- fault: {request: {actor: deployment-controller, verb: update, resource: replicasets}, fail: InternalError, times: 2}
# One Pod is created, but the client is told that it was not.
- fault: {request: {actor: replicaset-controller, verb: create, resource: pods}, fail: Timeout, afterCommit: true, nth: 2, times: 1}
# The API server is overloaded for a minute; client-go waits as long as it is told.
- fault: {request: {actor: "*-controller"}, fail: TooManyRequests, retryAfter: 2s, for: 1m, probability: 0.5}
- fault: {request: {resource: deployments, subresource: status}, delay: 1s..3s, until: 10m}
# A request is on its way until something else has happened.
- fault: {name: slow-scale, request: {actor: deployment-controller, verb: update, resource: rs, name: "web-*"}, hold: true, times: 1}
- after: 30s
  fault: {release: slow-scale}
# The caches of all controllers see no Pod change for a minute, and then everything at once.
- fault: {watch: {resource: pods}, hold: true, for: 1m}
# The third deletion of a Pod arrives late, and with it all that comes after.
- fault: {watch: {actor: shared-informers, resource: pods, type: DELETED}, delay: 10s, nth: 3, times: 1}
# The watch is lost, and the cache is filled from a server that is 20s behind.
- fault: {request: {actor: shared-informers, verb: list, resource: pods}, stale: 20s, times: 1}
- fault: {watch: {actor: shared-informers, resource: pods}, expire: true}
# The manager crashes in the middle of a sync, after the second write, and starts again with stale caches.
- fault: {request: {actor: deployment-controller, write: 2}, crash: true, restartAfter: 5s, times: 1}
- fault: {request: {actor: shared-informers, verb: list, resource: replicasets}, stale: 10s, times: 1}
# A space: the seed draws which update of which controller fails. kubestep explore tries many.
- fault: {request: {verb: update}, fail: Conflict, times: 1, draw: {nth: 1..20, actor: [deployment-controller, replicaset-controller]}}
`,
	},
	Commands: faultCommands,
}

// Fault adds a rule at the step, or ends one.
type Fault format.FaultRule

// OfRule is the verb that adds a rule.
func OfRule(f *format.FaultRule) Verb { return (*Fault)(f) }

// Keyword implements format.Verb.
func (*Fault) Keyword() string { return "fault" }

// Role implements format.Verb.
func (*Fault) Role() format.Role { return format.Fault }

// FaultRule implements format.RuleHolder.
func (f *Fault) FaultRule() *format.FaultRule { return (*format.FaultRule)(f) }

// String implements format.Verb.
func (f *Fault) String() string { return ruleText(f.FaultRule()) }

// Check implements format.Verb. The loader checks the rules of steps together with those of spec.faults.
func (f *Fault) Check(*format.Checker) {}

// Do implements Verb.
func (f *Fault) Do(_ context.Context, w World) error {
	sim := w.Simulation()
	sim.Engine.Call("fault|step|"+format.StepPath(w.Step()), func() {
		if f.Release != "" {
			sim.Release(f.Release, w.Cause())
			return
		}
		w.Arm(f.FaultRule())
	})
	return nil
}

var faultCommands = []Command{
	{
		Name: "fail", Args: "VERB RESOURCE REASON", About: "make the next such request fail: update deployments Conflict",
		Parse: func(args []string) (Verb, error) {
			return &Fault{Request: &format.FaultRequest{Verb: args[0], Resource: args[1]}, Fail: args[2], Times: 1}, nil
		},
		Complete: []Completion{
			requestVerbs, faultResources,
			words("Conflict", "InternalError", "ServiceUnavailable", "TooManyRequests", "Timeout", "Forbidden"),
		},
	},
	{
		Name: "hold", Args: "VERB RESOURCE DURATION",
		About: "hold such requests or watch events: create pods 10s; watch pods 10s",
		Parse: parseHold, Complete: []Completion{requestVerbs, faultResources},
	},
	{
		Name: "disconnect", Args: "RESOURCE", About: "end the watches of a kind, so that clients watch or list again",
		Parse: func(args []string) (Verb, error) {
			return &Fault{Watch: &format.FaultWatch{Resource: args[0]}, Expire: true}, nil
		},
		Complete: []Completion{faultResources},
	},
	HoldWatch, ExpireWatch,
}

// HoldWatch and ExpireWatch are about the watch of one actor.
var (
	HoldWatch = Command{
		Name: "hold-watch", Args: "ACTOR RESOURCE DURATION", About: "hold what one client watches: shared-informers pods 10s",
		Parse: func(args []string) (Verb, error) {
			length, err := lengthOf(args[2])
			if err != nil {
				return nil, err
			}
			return &Fault{Watch: &format.FaultWatch{Actor: args[0], Resource: args[1]}, Hold: true, For: length}, nil
		},
		Complete: []Completion{watchers, watched},
	}
	ExpireWatch = Command{
		Name: "expire-watch", Args: "ACTOR RESOURCE", About: "end the watch of one client, so that it lists again: shared-informers pods",
		Parse: func(args []string) (Verb, error) {
			return &Fault{Watch: &format.FaultWatch{Actor: args[0], Resource: args[1]}, Expire: true}, nil
		},
		Complete: []Completion{watchers, watched},
	}
)

var (
	requestVerbs   = words("create", "update", "patch", "delete", "get", "list", "watch")
	faultResources = words("deployments", "replicasets", "statefulsets", "daemonsets", "jobs", "pods", "nodes")
)

func parseHold(args []string) (Verb, error) {
	length, err := lengthOf(args[2])
	if err != nil {
		return nil, err
	}
	f := &Fault{Hold: true, For: length}
	if args[0] == "watch" {
		f.Watch = &format.FaultWatch{Resource: args[1]}
	} else {
		f.Request = &format.FaultRequest{Verb: args[0], Resource: args[1]}
	}
	return f, nil
}

// lengthOf reads for how long something is held.
func lengthOf(text string) (*notation.Duration, error) {
	length, err := time.ParseDuration(text)
	if err != nil || length <= 0 {
		return nil, fmt.Errorf("%q is not a duration such as 10s", text)
	}
	return notation.NewDuration(length), nil
}
