package simtest

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/sim/network/fault"
)

// Fault describes something that goes wrong, and when it does.
type Fault struct {
	// Name is the name in the trace and in messages.
	Name string
	// Place is what the fault applies to. Default Requests.
	Place Place
	// Match selects among these. From the first that it selects on, each triggers the fault, unless the fields below say less.
	Match Match
	// Nth is the first match that triggers the fault, from 1; Times is how many do from there on. 0 means 1, and all.
	Nth, Times int
	// From and Until limit when the fault triggers, in virtual time since the start; Until 0 means no end.
	From, Until time.Duration
	// Probability is the probability that a match triggers the fault, from 0 to 1; 0 means always.
	Probability float64
	// Effect is what happens.
	Effect Effect
}

// Place is what a fault applies to.
type Place int

const (
	// Requests are those of clients, when they arrive at the API server.
	Requests Place = iota
	// Watches are the watch events, when they arrive at a client.
	Watches
	// Webhooks are the calls of webhooks, when they arrive at the process that serves the webhook.
	Webhooks
)

// Match selects requests, watch events or calls of webhooks; an empty field selects all.
type Match struct {
	// Actor is the name of the client in the trace, and Name that of the object. Both are globs as in path.Match.
	Actor, Name string
	// Verb is that of a request, the type of a watch event (ADDED, MODIFIED, DELETED), or the operation that a webhook is called for
	// (CREATE, UPDATE, DELETE, CONNECT, CONVERT).
	Verb string
	// Webhook is a glob of the name of a webhook.
	Webhook string
	// Resource is the plural name, and Group its group. An empty Resource selects all but events and leases.
	Resource, Group string
	// Subresource must be equal: "" is the resource itself; * is all, and the resource itself.
	Subresource string
	Namespace   string
	// Where is a condition on the object: what the request sends, what the server has if it sends nothing, or that of the watch
	// event.
	Where func(runtime.Object) bool
}

// Effect is what happens to a request, a watch event or a call of a webhook. Fields that do not belong together are combined as those
// of a scenario: docs/reference/scenario-format.md.
type Effect struct {
	// Code and Reason refuse a request: 409 Conflict. AfterCommit executes it first: the client receives an error
	// although the write succeeded.
	Code        int
	Reason      string
	AfterCommit bool
	// RetryAfter is the header of a refusal, in whole seconds: client-go waits that long and retries the request.
	RetryAfter time.Duration
	// Delay is an additional latency. ResponseDelay is one of the response to a request: it is executed before.
	Delay, ResponseDelay Latency
	// Hold holds a request or a watch stream until Fault.Until.
	Hold bool
	// Stale answers a list with the state that the store had that long ago.
	Stale time.Duration
	// Crash ends the process of a component that sent the request, after the commit, or that watches. It starts again after Restart; 0
	// means never.
	Crash   bool
	Restart time.Duration
	// Disconnect ends a watch, or refuses the connection to a webhook; Expire ends a watch with 410 Expired, so that the client
	// lists again.
	Disconnect, Expire bool
}

var places = map[Place]fault.Place{Requests: fault.Requests, Watches: fault.Watches, Webhooks: fault.Webhooks}

// rule is the fault rule of the simulation.
func (f *Fault) rule() (*fault.Rule, error) {
	place, known := places[f.Place]
	if !known {
		return nil, fmt.Errorf("fault %s: unknown place %d: want Requests, Watches or Webhooks", f.Name, f.Place)
	}
	m, e := f.Match, f.Effect
	return &fault.Rule{
		Name: f.Name, Place: place, Nth: max(f.Nth, 1), Times: f.Times, From: f.From, Until: f.Until, Probability: f.Probability,
		Match: fault.Match{
			Actor: m.Actor, ObjectName: m.Name, Verb: m.Verb, Webhook: m.Webhook, Resource: m.Resource, Group: m.Group,
			Subresource: m.Subresource, Namespace: m.Namespace, Where: m.Where,
		},
		Effect: fault.Effect{
			Code: e.Code, Reason: e.Reason, AfterCommit: e.AfterCommit, RetryAfter: e.RetryAfter,
			DelayMin: e.Delay.Min, DelayMax: e.Delay.Max,
			ResponseMin: e.ResponseDelay.Min, ResponseMax: e.ResponseDelay.Max, Hold: e.Hold, Stale: e.Stale,
			Crash: e.Crash, Restart: e.Restart, Disconnect: e.Disconnect, Expire: e.Expire,
		},
	}, nil
}
