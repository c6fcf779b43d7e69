package sim

import "time"

// FutureAt begins a future at a virtual time, before anything else that is due then. choose returns its seed, and began is as that of
// BeginFuture; both are called on the engine's goroutine. Call it before Run.
func (s *Simulation) FutureAt(from time.Duration, choose func() uint64, began func(seed uint64)) {
	s.Engine.FirstAt(from, 0, func() { s.BeginFuture(choose(), began) })
}

// BeginFuture makes another seed decide everything that is drawn from now on: latencies, the order of events of one time, names, uids,
// jitter and randomness. Simulations that differ in it have one past: before, they do the same. began is called with the seed. Only the
// engine's goroutine may call it.
//
// What was drawn before stays as it is, such as the order in which the informers of a running process list objects, and so do the keys of
// the API server. A future of the seed that the simulation has already changes nothing, so that it is the plain run; began is not called.
func (s *Simulation) BeginFuture(seed uint64, began func(seed uint64)) {
	if s.Engine.Reseed(seed) {
		began(seed)
	}
}
