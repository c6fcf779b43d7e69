package network

import (
	"context"
	"net/http"
	"time"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/engine/activity"
	"github.com/kubestep/kubestep/sim/trace"
)

// With API Priority and Fairness, each request of a client is executed on a goroutine of its own, on which upstream's filter lets it wait
// in a queue until its priority level has a seat for it. From then on the server works on the request, for a time during which the request
// keeps its seat:
//
//	arrival ---- queue ---- seat ---- service ---- execution, answer
//	        \--- 429
//
// The filter wakes the goroutines of several requests at once, which run in any order; each of them then waits for an event, so the
// engine decides their order. What the simulation plays, such as kubelets, is not queued, nor are watches.

// Fairness configures API Priority and Fairness.
type Fairness struct {
	// Concurrency is how many requests the server executes at the same time, which priority levels share; 0 means that none waits.
	Concurrency int
	// Read is how long the server works on a request that only reads, drawn for each.
	Read Range
}

// RunFairness makes requests wait for their turn from now on, if the options say so.
func (n *Network) RunFairness() {
	if n.options.Fairness.Concurrency == 0 || n.fairness != nil {
		return
	}
	n.LimitTo(apiserver.Self, 0, 0)
	n.fairness = n.Server.NewFairness(n.Client(apiserver.Self), n.options.Fairness.Concurrency)
	n.options.Go(apiserver.Self, func(ctx context.Context) { n.fairness.Run(ctx) })
}

// isFair reports whether a request waits for its turn.
func (n *Network) isFair(c *call) bool { return n.fairness != nil && c.fair }

// doFair is the goroutine of a request that waits for its turn.
func (n *Network) doFair(x *execution) {
	n.Activities.Enter(&activity.Activity{Actor: apiserver.Self, Task: x})
	x.result.err = errEnded
	arrived := n.Engine.Now()
	left := arrived
	verdict := n.fairness.Serve(n.options.Context, x.request, func() {
		left = n.Engine.Now()
		if n.awaitService(x) {
			x.result.object, x.result.err = x.do(x.request)
		}
	})
	if verdict.Refused {
		left = n.Engine.Now()
		x.result.err = tooManyRequests(x.request, verdict.RetryAfter)
	}
	x.flow = &trace.Flow{
		Schema: verdict.FlowSchema, PriorityLevel: verdict.PriorityLevel, Distinguisher: verdict.Distinguisher, Waited: left - arrived,
	}
	n.ended(x)
}

// awaitService returns, on the goroutine of a request that has a seat, when the server has worked on the request, and has come to execute
// it. It returns false if the simulation ends first.
func (n *Network) awaitService(x *execution) bool {
	c, executes := x.call, make(chan bool, 1)
	scheduled := n.Engine.Schedule(&engine.Event{
		Key: "execute|" + c.key, Body: func() []byte { return callBody(c.request) },
		Due: func() time.Duration {
			if c.request.Writes() {
				return n.occupy(c.key)
			}
			return n.Engine.Now() + n.travel("service|"+c.key, n.options.Fairness.Read)
		},
		Run: func() {
			if x.request.Verb == "create" {
				x.draw = n.prepareCreate(&x.request)
			}
			n.run(x, func() { executes <- true })
		},
		Abandon: func() { executes <- false },
	})
	return scheduled && <-executes
}

// tooManyRequests is what client-go makes of the filter's answer, which is plain text.
func tooManyRequests(req apiserver.Request, after time.Duration) error {
	return apierrors.NewGenericServerResponse(http.StatusTooManyRequests, req.Verb, req.Resource.GroupResource(), requestName(req),
		"Too many requests, please try again later.", int(after/time.Second), true)
}

// isOwnStatus reports whether the filter writes whether a FlowSchema has a priority level.
func isOwnStatus(req apiserver.Request) bool {
	return req.Actor == apiserver.Self && req.Resource.Group == flowcontrolv1.GroupName
}
