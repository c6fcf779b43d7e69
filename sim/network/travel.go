package network

import (
	"time"

	"github.com/kubestep/kubestep/sim/engine"
)

// Travel draws how long a request travels to the server.
func (n *Network) Travel(key string) time.Duration { return n.travel(key, n.options.Request) }

// travel draws a latency.
func (n *Network) travel(key string, r Range) time.Duration {
	return n.Engine.Draw(key, r.Min, r.Max)
}

// serve calls execute when the server has executed the call, which has just arrived. A write waits for its turn,
// unless API Priority and Fairness lets it wait later.
func (n *Network) serve(c *call, execute func()) {
	if n.isFair(c) || n.options.Service.Max == 0 || !c.request.Writes() {
		execute()
		return
	}
	n.schedule(c, n.occupy(c.key), execute)
}

// occupy reserves the server for one more write, and returns when that is executed.
func (n *Network) occupy(key string) time.Duration {
	return n.workers.occupy(n.Engine.Now(), n.service(key))
}

// service draws how long the server works on a write.
func (n *Network) service(key string) time.Duration {
	return n.travel("service|"+key, n.options.Service)
}

// lag is how far the events of the stream of a name are behind now.
func (n *Network) lag(name string) time.Duration {
	return n.options.Watch.lag(n.Engine.Seed(), name, n.Engine.Now())
}

// back draws how long the response to a call travels.
func (n *Network) back(c *call) time.Duration {
	return n.travel("response|"+c.key, n.options.Response) + c.late
}

// answer calls deliver when the response to a call has travelled back to its client.
func (n *Network) answer(c *call, deliver func()) {
	if c.back == 0 && !n.options.OpenOrder {
		deliver()
		return
	}
	n.scheduleAs(c, n.Engine.Now()+c.back, n.openOf(engine.OpenAnswer, c), deliver)
}

// schedule continues a call at a virtual time.
func (n *Network) schedule(c *call, due time.Duration, run func()) {
	n.scheduleAs(c, due, n.openOf(engine.OpenRequest, c), run)
}

// scheduleAs is schedule with what it is for those who choose an order.
func (n *Network) scheduleAs(c *call, due time.Duration, open *engine.Open, run func()) {
	scheduled := n.Engine.Schedule(&engine.Event{
		Key: c.key, Open: open, Body: func() []byte { return callBody(c.request) },
		Due: func() time.Duration { return due }, Run: run, Abandon: c.abandon,
	})
	if !scheduled {
		c.abandon()
	}
}

// Reaction is how long a component of the simulation takes to react to a write: until it has received the watch event,
// and the server has executed the request that follows.
func (n *Network) Reaction(key string) time.Duration {
	now := n.Engine.Now()
	arrival := now + n.lag(key) + n.Travel(key)
	return max(arrival, *n.workers.next()) + n.service(key) - now
}
