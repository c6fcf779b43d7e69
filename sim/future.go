package sim

import "time"

// Future makes another seed decide everything that is drawn from a virtual time on: latencies, the order of events of one time, names,
// uids, jitter and randomness. Simulations that differ in it have one past: up to that time, they do the same. choose returns the seed.
// It is called at that time, before anything else that is due then, on the engine's goroutine, and began afterwards, with the seed.
//
// What was drawn before stays as it is, such as the order in which the informers of a running process list objects, and so do the keys of
// the API server. A future of the seed that the simulation has already changes nothing, so that it is the plain run; began is not called.
//
// Call it before Run, in ascending order of time.
func (s *Simulation) Future(from time.Duration, choose func() uint64, began func(seed uint64)) {
	s.Engine.FirstAt(from, "future", func() {
		seed := choose()
		if s.seed.Swap(seed) == seed {
			return
		}
		s.Engine.Reseed(seed)
		s.Network.Reseed(seed)
		began(seed)
	})
}
