package sim

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/fault"
	"github.com/kubestep/kubestep/sim/syncs"
)

// errEnded answers requests that are under way when the simulation ends.
var errEnded = errors.New("the simulation has ended")

// gate is the Transport of one client: it makes each call an event of the engine and blocks the caller until the engine
// has executed it.
type gate struct {
	sim   *Simulation
	actor string
	// limit is whose rate limit the requests have.
	limit string
}

// Client returns a typed client for actor. Clients of one actor share a rate limit.
func (s *Simulation) Client(actor string) *apiserver.Clientset {
	return apiserver.NewClientset(s.Transport(actor), nil)
}

// Transport returns the gate of actor's requests.
func (s *Simulation) Transport(actor string) apiserver.Transport {
	return s.TransportLimitedAs(actor, actor)
}

// TransportLimitedAs returns the gate of requests of actor that have the rate limit of another name.
func (s *Simulation) TransportLimitedAs(actor, limit string) apiserver.Transport {
	s.addLimiter(limit)
	return &gate{sim: s, actor: actor, limit: limit}
}

// Limit multiplies the default rate and burst of actor.
func (s *Simulation) Limit(actor string, qps, burst float64) {
	s.limiting.Lock()
	defer s.limiting.Unlock()
	s.limit(actor, qps, burst)
}

// LimitTo sets the rate and burst of actor, in requests per second, whatever the default; a rate of 0 or less means no limit.
func (s *Simulation) LimitTo(actor string, qps float64, burst int) {
	s.limiting.Lock()
	defer s.limiting.Unlock()
	s.limiters[actor] = nil
	if qps > 0 {
		s.limiters[actor] = rate.NewLimiter(rate.Limit(qps), burst)
	}
}

// limit sets the limiter of actor. The caller holds the lock.
func (s *Simulation) limit(actor string, qps, burst float64) {
	if s.options.QPS > 0 {
		s.limiters[actor] = rate.NewLimiter(rate.Limit(s.options.QPS*qps), int(float64(s.options.Burst)*burst))
	}
}

func (s *Simulation) limiter(actor string) *rate.Limiter {
	s.limiting.Lock()
	defer s.limiting.Unlock()
	return s.limiters[actor]
}

func (s *Simulation) addLimiter(actor string) {
	s.limiting.Lock()
	defer s.limiting.Unlock()
	if _, ok := s.limiters[actor]; !ok {
		s.limit(actor, 1, 1)
	}
}

// call is a request under way.
type call struct {
	request apiserver.Request
	// key is the canonical name of the request, and sent when the client sent it.
	key  string
	sent time.Duration
	// back is how long the response travels.
	back time.Duration
	// do executes the request through one of the server's interfaces; nil means Server.Do.
	do executor
	// task is what the calling goroutine works on, or nil.
	task   Task
	result chan result

	// checked means that the fault rules were applied; rule is the one that decides the result, or nil, and faultSeq
	// the record of the fault.
	checked  bool
	rule     *fault.Rule
	faultSeq int64
	// seq is the record of the request.
	seq int64
	// ended, if set, is called instead of answering when the simulation ends.
	ended func()
	// reflector means that a reflector of client-go opens a watch.
	reflector bool
	// canceled ends the client's wait for the answer; nil means that it waits until the answer comes. The server executes the request
	// all the same.
	canceled <-chan struct{}
	// deserted means that the client has ended its wait.
	deserted bool
}

// cause is the record that caused the request: that of the task, or 0.
func (c *call) cause() int64 {
	if c.task == nil {
		return 0
	}
	return c.task.Seq()
}

// Task is a unit of work that sends requests: a sync of a controller, or a step of a user. An Activity carries it.
type Task interface {
	// Seq is the number of the record with which the task begins.
	Seq() int64
	// Sent is called for each request of the task with the number of its writes, and whether it failed.
	Sent(writes int, failed bool)
}

var _ Task = &syncs.Sync{}

type result struct {
	object runtime.Object
	watch  watch.Interface
	err    error
}

// Do implements apiserver.Transport. It retries a request that is answered with Retry-After, as client-go does.
func (g *gate) Do(req apiserver.Request) (runtime.Object, error) {
	for attempt := 0; ; attempt++ {
		object, err := g.attempt(req)
		pause, again := retryAfter(err)
		if !again || attempt == retryMax {
			return object, err
		}
		if !engine.Sleep(g.sim.context, pause) {
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

// Watch implements apiserver.Transport. Client-go does not count watches against the rate limit.
func (g *gate) Watch(req apiserver.Request) (watch.Interface, error) {
	return g.watch(g.newCall(req))
}

func (g *gate) watch(c *call) (watch.Interface, error) {
	c.reflector = fromReflector()
	r := g.send(c, false, func(finish func(result)) {
		stream, err := g.sim.openWatch(c)
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
	known := g.sim.identityOf(g.actor)
	req.Actor, req.User, req.Program = g.actor, known.user, known.program
	c := &call{request: req, key: callKey(req), sent: g.sim.Engine.Now(), result: make(chan result, 1)}
	if a := g.sim.Activities.Current(); a != nil {
		c.task, _ = a.Task.(Task)
		if sync, ok := a.Task.(*syncs.Sync); ok {
			sync.Asks(subject(req))
		}
	}
	return c
}

// subject names the object of a request: default/replicasets/web-5d9.
func subject(req apiserver.Request) string {
	return strings.TrimPrefix(req.Namespace+"/"+req.Resource.Resource+"/"+requestName(req), "/")
}

// send schedules the arrival of a request at the server and waits for the result.
func (g *gate) send(c *call, limited bool, run func(finish func(result))) result {
	scheduled := g.sim.Engine.Schedule(&engine.Event{
		Key:  c.key,
		Body: func() []byte { return callBody(c.request) },
		Due: func() time.Duration {
			var wait time.Duration
			if limiter := g.sim.limiter(g.limit); limited && limiter != nil {
				date := g.sim.Engine.Date()
				wait = limiter.ReserveN(date, 1).DelayFrom(date)
			}
			return g.sim.Engine.Now() + wait + g.sim.travel(c.key, g.sim.options.Request)
		},
		Run:     func() { g.sim.serve(c, func() { g.receive(c, run, hold{}) }) },
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

// discard ends a watch for which no client waits any more.
func (c *call) discard() {
	if r := <-c.result; r.watch != nil {
		r.watch.Stop()
	}
}

// callKey is the canonical name of a request.
func callKey(req apiserver.Request) string {
	return strings.Join([]string{req.Actor, req.Verb, req.Resource.Group, req.Path(), req.Namespace, requestName(req)}, "|")
}

// callBody distinguishes requests with the same key. Parallel creations with generateName, which the DaemonSet
// controller sends for each node, differ only in the body.
func callBody(req apiserver.Request) []byte {
	if req.Object == nil {
		return req.Patch
	}
	data, err := json.Marshal(req.Object)
	if err != nil {
		panic("sim: a request body does not marshal: " + err.Error())
	}
	return data
}
