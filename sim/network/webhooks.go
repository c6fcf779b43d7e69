package network

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/kubestep/kubestep/sim/apiserver/webhook"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/engine/activity"
	"github.com/kubestep/kubestep/sim/network/fault"
)

// A call of a webhook travels to the process that serves it, as a request of a client travels to the API server; the handler
// runs on a goroutine of that process, and the answer travels back:
//
//	call --Request--> arrival, handler --Response--> answer: the request is resumed
//
// The request that the API server calls for is suspended until then, or until the webhook's timeout. So is a watch whose event a
// webhook converts.

// ServeWebhooks serves webhooks for actor until ctx ends. The calls of all Services and URLs arrive here: of several servers, at the
// first one that has a handler for the path.
func (n *Network) ServeWebhooks(ctx context.Context, actor string, handler http.Handler) {
	server := &webhook.Server{Actor: actor, Context: ctx, Handler: handler}
	n.Engine.Call("webhooks|serve|"+actor, func() { n.webhooks.servers.Add(server) })
	<-ctx.Done()
}

// RouteWebhooks makes calls arrive where route says, before the servers of ServeWebhooks are asked. It is called before the simulation
// runs; route runs on the goroutine of the engine.
func (n *Network) RouteWebhooks(route func(*http.Request) (*webhook.Server, error)) {
	n.webhooks.servers.Route = route
}

// callWebhook implements webhook.Caller, on a goroutine of the request.
func (n *Network) callWebhook(to webhook.Name, r *http.Request) (*http.Response, error) {
	if n.webhooks.barred.Load() {
		return nil, errNoWebhooks
	}
	w, err := n.newWebhookCall(to, r)
	if err != nil {
		return nil, err
	}
	scheduled := n.Engine.Schedule(&engine.Event{
		Key: w.key, Body: func() []byte { return callBody(w.x.call.request) },
		Due: func() time.Duration { return n.Engine.Now() + n.travel(w.key, n.options.Request) },
		Run: w.arrive,
	})
	if !scheduled {
		return nil, errEnded
	}
	select {
	case <-w.answered:
		return w.response, w.err
	case <-r.Context().Done():
	case <-n.options.Context.Done():
	}
	// The API server stops waiting when it is the turn of the request.
	n.awaitResume(w.x, func() { w.end(nil, context.Cause(r.Context())) })
	if w.err == nil && w.response == nil {
		w.err = errEnded
	}
	return w.response, w.err
}

// errNoWebhooks answers those who look at the simulation from outside.
var errNoWebhooks = errors.New("webhooks are called for clients in the simulation only")

// arrive is the arrival of a call at the process that serves the webhook.
func (w *webhookCall) arrive() {
	if w.over {
		return
	}
	// A server that is not trusted is none; deliver looks again.
	w.server, _ = w.network.webhooks.servers.Find(w.http)
	w.x.calls++
	// The API server drew the UID; which of several calls at one time got which is not reproducible.
	name := w.key + "|" + strconv.Itoa(w.x.calls) + "|" + strconv.FormatInt(int64(w.sent), 10)
	w.uid = uuid.NewSHA1(uuid.NameSpaceURL, []byte(name)).String()
	if !w.intercept() {
		w.deliver()
	}
}

// intercept applies the fault rules to a call that arrives. It returns true if the call is delivered later.
func (w *webhookCall) intercept() bool {
	n := w.network
	var delay time.Duration
	for _, rule := range n.faults.set.Trigger(fault.Webhooks, n.Engine.Now(), w.subject()) {
		w.faultSeq = w.recordFault(rule)
		switch effect := rule.Effect; {
		case effect.Hold:
			n.faults.held[rule] = append(n.faults.held[rule], held{w.deliver, func() {}})
			return true
		case effect.DelayMax > 0:
			delay += n.Engine.Draw("fault|delay|"+rule.Name, effect.DelayMin, effect.DelayMax)
		default:
			w.rule = rule
		}
	}
	if delay == 0 {
		return false
	}
	n.Engine.At(n.Engine.Now()+delay, w.key, w.deliver)
	return true
}

// deliver hands the call to the process, unless a fault rule answers in its place.
func (w *webhookCall) deliver() {
	if w.over {
		return
	}
	var err error
	if w.server, err = w.network.webhooks.servers.Find(w.http); err != nil {
		w.answer(nil, err)
		return
	}
	if w.server == nil || w.rule != nil {
		if response, err, answered := w.fails(); answered {
			w.answer(response, err)
			return
		}
	}
	ctx, cancel := context.WithCancel(w.server.Context)
	w.hangUp = cancel
	go w.serve(ctx)
}

// serve runs the handler as an HTTP server does, on a goroutine of the process that serves it.
func (w *webhookCall) serve(ctx context.Context) {
	w.network.Activities.Enter(&activity.Activity{Actor: w.server.Actor, Task: webhookTask{w}})
	response, err := w.handle(ctx)
	w.network.Engine.Schedule(&engine.Event{
		Key: w.key, Body: func() []byte { return callBody(w.x.call.request) },
		Due: func() time.Duration {
			return w.network.Engine.Now() + w.network.travel(w.key+"|response", w.network.options.Response)
		},
		Run: func() { w.answer(w.lost(response, err)) },
	})
}
