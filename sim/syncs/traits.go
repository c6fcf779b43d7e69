package syncs

// Traits are what is unusual about a work queue.
type Traits struct {
	// Relay marks a queue that only hands watch events on, in one goroutine and without delay. Its turns are not syncs
	// and are not recorded, so that what they add to other queues is caused by the watch event.
	Relay bool
	// KeyFromRequest means that neither a cache nor a log line tells the key, but the first request of a sync does. A
	// turn without a request did nothing, and is not recorded. What is added to such a queue at one instant is recorded
	// in the order of the keys, since it comes in the order of a map.
	KeyFromRequest bool
	// SortReads means that a sync looks into its caches in the order of a map. They are told sorted.
	SortReads bool
}

// Asks tells the sync what it is about to ask the API server for.
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
	if o.Traits == nil {
		return Traits{}
	}
	return o.Traits(queue)
}
