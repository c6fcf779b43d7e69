package network

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime"

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

// arrive executes a request that has reached the server, unless the server holds it: a pod that is created right after
// its namespace waits for the namespace's service account, and a custom resource that is created right after its definition
// waits two seconds. The server sleeps in the meantime, which the engine's goroutine must not do, so the request arrives again.
func (n *Network) arrive(c *call, run func(finish func(result)), h hold) {
	if n.intercept(c, func() { n.arrive(c, run, h) }) {
		return
	}
	if pause := n.Server.Establishing(c.request); pause > 0 && !h.established {
		h.established = true
		n.schedule(c, n.Engine.Now()+pause, func() { n.arrive(c, run, h) })
		return
	}
	if h.looks+1 >= apiserver.HoldAttempts || !n.Server.Holds(c.request) {
		c.back = n.back(c)
		run(func(answer result) {
			c.answered = &answer
			for _, observe := range n.answered {
				observe(c.seq, n.Engine.Now()+c.back)
			}
			n.answer(c, func() {
				if c.request.Verb == "list" && c.task == nil {
					// An informer that listed calls its handlers for each object.
					n.Observer.Delivered(c.seq, nil)
				}
				n.noteAnswer(c)
				c.result <- answer
			})
		})
		return
	}
	if h.looks == 0 {
		h.pause = n.travel("hold|"+c.key, Range{apiserver.HoldMin, apiserver.HoldMax})
	}
	h.looks++
	n.schedule(c, n.Engine.Now()+h.pause, func() { n.arrive(c, run, h) })
}

// Receive executes a request that arrives over another network, as those of an election do, on the engine's goroutine,
// when it is its turn and no fault holds it. answer is called when the response has travelled back.
func (n *Network) Receive(req apiserver.Request, background bool, answer func(runtime.Object, error)) {
	c := &call{request: req, key: callKey(req), sent: n.Engine.Now(), ended: func() { answer(nil, errEnded) }, fair: true}
	var receive func()
	receive = func() {
		if n.intercept(c, receive) {
			return
		}
		n.execute(c, 0, background, func(r result) {
			n.crash(c)
			c.back, c.answered = n.back(c), &r
			n.answer(c, func() { answer(r.object, r.err) })
		})
	}
	n.serve(c, receive)
}
