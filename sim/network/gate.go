package network

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/observe/syncs"
)

// gate is the Transport of one client: it makes each call an event of the engine and blocks the caller until the engine
// has executed it.
type gate struct {
	network *Network
	actor   string
	// limit is whose rate limit the requests have.
	limit string
}

// Client returns a typed client for actor. Clients of one actor share a rate limit.
func (n *Network) Client(actor string) *apiserver.Clientset {
	return apiserver.NewClientset(n.Transport(actor), nil)
}

// Transport returns the gate of actor's requests.
func (n *Network) Transport(actor string) apiserver.Transport {
	return n.TransportLimitedAs(actor, actor)
}

// TransportLimitedAs returns the gate of requests of actor that have the rate limit of another name.
func (n *Network) TransportLimitedAs(actor, limit string) apiserver.Transport {
	n.addLimiter(limit)
	return &gate{network: n, actor: actor, limit: limit}
}

// Do implements apiserver.Transport. It retries a request that is answered with Retry-After, as client-go does.
func (g *gate) Do(req apiserver.Request) (runtime.Object, error) {
	for attempt := 0; ; attempt++ {
		object, err := g.attempt(req)
		pause, again := retryAfter(err)
		if !again || attempt == retryMax {
			return object, err
		}
		if !engine.Sleep(g.network.options.Context, pause) {
			return object, err
		}
	}
}

// attempt sends a request once.
func (g *gate) attempt(req apiserver.Request) (runtime.Object, error) {
	c := g.newCall(req)
	r := g.send(c, true, func(finish func(result)) { g.execute(c, finish) })
	return r.object, r.err
}

// execute executes a client's request. A fault may make the client crash afterwards.
func (g *gate) execute(c *call, finish func(result)) {
	g.network.execute(c, c.cause(), isBackground(c.request), func(r result) {
		g.network.crash(c)
		finish(r)
	})
}

// Watch implements apiserver.Transport. Client-go does not count watches against the rate limit.
func (g *gate) Watch(req apiserver.Request) (watch.Interface, error) {
	return g.watch(g.newCall(req))
}

func (g *gate) watch(c *call) (watch.Interface, error) {
	c.reflector = fromReflector()
	r := g.send(c, false, func(finish func(result)) {
		stream, err := g.network.openWatch(c)
		finish(result{watch: stream, err: err})
	})
	if c.deserted {
		go c.discard()
	}
	if r.err != nil {
		return nil, r.err
	}
	return r.watch, nil
}

func (g *gate) newCall(req apiserver.Request) *call {
	known := g.network.identityOf(g.actor)
	req.Actor, req.User, req.Program = g.actor, known.user, known.program
	c := &call{request: req, key: callKey(req), sent: g.network.Engine.Now(), result: make(chan result, 1), fair: true}
	if a := g.network.Activities.Current(); a != nil {
		c.task, _ = a.Task.(Task)
		if sync, ok := a.Task.(*syncs.Sync); ok {
			sync.Asks(requestObject(req))
		}
	}
	return c
}

// send schedules the arrival of a request at the server and waits for the result.
func (g *gate) send(c *call, limited bool, run func(finish func(result))) result {
	scheduled := g.network.Engine.Schedule(&engine.Event{
		Key:  c.key,
		Body: func() []byte { return callBody(c.request) },
		Open: g.network.openOf(engine.OpenRequest, c),
		Due: func() time.Duration {
			var wait time.Duration
			if limiter := g.network.limiter(g.limit); limited && limiter != nil {
				date := g.network.Engine.Date()
				wait = limiter.ReserveN(date, 1).DelayFrom(date)
			}
			return g.network.Engine.Now() + wait + g.network.travel(c.key, g.network.options.Request)
		},
		Run:     func() { g.network.serve(c, func() { g.network.arrive(c, run, hold{}) }) },
		Abandon: c.abandon,
	})
	if !scheduled {
		return result{err: errEnded}
	}
	select {
	case r := <-c.result:
		return r
	case <-c.canceled:
		c.deserted = true
		return result{err: context.Canceled}
	}
}
