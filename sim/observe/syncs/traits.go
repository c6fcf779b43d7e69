package syncs

// Traits are the special properties of a work queue.
type Traits struct {
	// Relay marks a queue that only forwards watch events, in one goroutine and without delay. Its syncs are not
	// recorded, and what they add to other queues is caused by the watch event.
	Relay bool
	// KeyFromRequest means that only the first request of a sync reveals its key. A sync without a request did nothing,
	// and is not recorded. What is added to such a queue at one virtual time is recorded in the order of the keys,
	// since the actual order is that of a map.
	KeyFromRequest bool
	// SortReads means that a sync reads its caches in the order of a map. They are recorded sorted.
	SortReads bool
	// PauseDelays means that it takes a nanosecond until a key is added that is due later. Otherwise it could be due at
	// the same virtual time as the timer that led to it, and the Go runtime would decide which comes first.
	PauseDelays bool
}

// Asks sets the object that the sync is about to request from the API server.
func (s *Sync) Asks(object string) {
	if !s.traits.KeyFromRequest {
		return
	}
	s.named(object)
	s.mu.Lock()
	start := s.start
	s.start = nil
	s.mu.Unlock()
	if start != nil {
		start()
	}
}

// traitsOf returns the traits of a queue.
func (o *Observer) traitsOf(queue string) Traits {
	if own, ok := o.Own[queue]; ok {
		return own
	}
	if o.Traits == nil {
		return Traits{}
	}
	return o.Traits(queue)
}
