package sim

import (
	"context"
	"time"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// hold is how long a request has waited inside the API server.
type hold struct {
	// established means that the pause after the definition of a custom resource was established is over.
	established bool
	// looks is how often the server has checked for what the request needs, pause the time between two checks.
	looks int
	pause time.Duration
}

// receive executes a request that has reached the server, unless the server holds it: a pod that is created right after
// its namespace waits for the namespace's service account, and a custom resource that is created right after its definition
// waits two seconds. The server sleeps in the meantime, which the engine's goroutine must not do, so the request arrives again.
func (g *gate) receive(c *call, run func(finish func(result)), h hold) {
	if g.sim.intercept(c, func() { g.receive(c, run, h) }) {
		return
	}
	if pause := g.sim.Server.Establishing(c.request); pause > 0 && !h.established {
		h.established = true
		g.sim.schedule(c, g.sim.Engine.Now()+pause, func() { g.receive(c, run, h) })
		return
	}
	if h.looks+1 >= apiserver.HoldAttempts || !g.sim.Server.Holds(c.request) {
		c.back = g.sim.back(c)
		run(func(answer result) {
			g.sim.answer(c, func() {
				if c.request.Verb == "list" && c.task == nil {
					// An informer that listed calls its handlers for each object.
					g.sim.Observer.Delivered(c.seq)
				}
				c.result <- answer
			})
		})
		return
	}
	if h.looks == 0 {
		h.pause = g.sim.travel("hold|"+c.key, Range{apiserver.HoldMin, apiserver.HoldMax})
	}
	h.looks++
	g.sim.schedule(c, g.sim.Engine.Now()+h.pause, func() { g.receive(c, run, h) })
}

// abandon answers a call that is under way when the simulation ends.
func (c *call) abandon() {
	if c.ended != nil {
		c.ended()
		return
	}
	c.result <- result{err: context.Canceled}
}
