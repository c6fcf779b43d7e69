package sim

import (
	"time"

	"github.com/kubestep/kubestep/sim/engine"
)

// A request travels to the server, waits until the server has a worker for it, is executed, and its response travels
// back:
//
//	send --Request--> arrival, wait --Service--> execution --Response--> answer
//	                                                  \-----Watch-----> watch event
//
// If all these are zero, the simulation is in lock-step: a request is executed and answered at the instant at which it is
// sent.

// ServerWorkers is how many writes the server works on at the same time.
const ServerWorkers = 2

// lagPeriod is how long the lag of a stream takes from one drawn value to the next.
const lagPeriod = 2 * time.Second

// Travel draws how long a request travels to the server.
func (s *Simulation) Travel(key string) time.Duration { return s.travel(key, s.options.Request) }

// travel draws a latency.
func (s *Simulation) travel(key string, r Range) time.Duration {
	return s.Engine.Draw(key, r.Min, r.Max)
}

// lag is how far the events of a stream are behind now. It is a function of the time: between two drawn values it changes
// linearly, as on a connection whose load changes. Independent draws for each event would make one event in two
// arrive much later than its neighbours, which the order of a stream then imposes on all events behind it.
func (s *Simulation) lag(stream string) time.Duration {
	r := s.options.Watch
	if r.Max <= r.Min {
		return r.Min
	}
	now := s.Engine.Now()
	period, rest := now/lagPeriod, now%lagPeriod
	if rest < 0 {
		period, rest = period-1, rest+lagPeriod
	}
	from, to := s.lagAt(stream, period), s.lagAt(stream, period+1)
	at := float64(rest) / float64(lagPeriod)
	// The conversion keeps compilers for other architectures from computing the product and the sum in one rounding.
	return r.Min + time.Duration((from+float64((to-from)*at))*float64(r.Max-r.Min))
}

// lagAt draws the lag of a stream at the beginning of a period, as a fraction of the range.
func (s *Simulation) lagAt(stream string, period time.Duration) float64 {
	return fraction(engine.Hash(s.options.Seed^uint64(period), "lag|"+stream))
}

// fraction maps bits to [0, 1). A float64 holds 53 bits exactly.
func fraction(bits uint64) float64 { return float64(bits>>11) / (1 << 53) }

// serve calls execute when the server has executed the call, which has just arrived. A write waits for its turn.
func (s *Simulation) serve(c *call, execute func()) {
	if s.options.Service.Max == 0 || !c.request.Writes() {
		execute()
		return
	}
	s.schedule(c, s.occupy(c.key), execute)
}

// occupy reserves the server for one more write, and returns when that is executed.
func (s *Simulation) occupy(key string) time.Duration {
	next := s.nextWorker()
	*next = max(*next, s.Engine.Now()) + s.travel("service|"+key, s.options.Service)
	return *next
}

// nextWorker is when the next worker of the server is free.
func (s *Simulation) nextWorker() *time.Duration {
	next := &s.busy[0]
	for i := range s.busy {
		if s.busy[i] < *next {
			next = &s.busy[i]
		}
	}
	return next
}

// answer calls deliver when the response to a call has travelled back to its client.
func (s *Simulation) answer(c *call, deliver func()) {
	if c.back == 0 {
		deliver()
		return
	}
	s.schedule(c, s.Engine.Now()+c.back, deliver)
}

// back draws how long the response to a call travels.
func (s *Simulation) back(c *call) time.Duration {
	return s.travel("response|"+c.key, s.options.Response)
}

// schedule continues a call at a virtual time.
func (s *Simulation) schedule(c *call, due time.Duration, run func()) {
	scheduled := s.Engine.Schedule(&engine.Event{
		Key: c.key, Body: func() []byte { return callBody(c.request) },
		Due: func() time.Duration { return due }, Run: run, Abandon: c.abandon,
	})
	if !scheduled {
		c.abandon()
	}
}

// Reaction is how long a component of the simulation takes to react to a write: until it has received the watch event,
// and the server has executed the request that follows.
func (s *Simulation) Reaction(key string) time.Duration {
	now := s.Engine.Now()
	arrival := now + s.lag(key) + s.Travel(key)
	return max(arrival, *s.nextWorker()) + s.travel("service|"+key, s.options.Service) - now
}

// lockStep reports whether nothing takes time.
func (s *Simulation) lockStep() bool {
	o := s.options
	return o.Request.Max == 0 && o.Service.Max == 0 && o.Response.Max == 0 && o.Watch.Max == 0
}
