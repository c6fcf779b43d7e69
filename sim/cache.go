package sim

import (
	"sync"

	"k8s.io/client-go/tools/cache"
)

// caches are the caches of the informers that run, by their client and resource.
type caches struct {
	mu     sync.Mutex
	stores map[cacheName]cache.Store
}

type cacheName struct{ actor, resource string }

// AddCache says which cache the informer of an actor fills, so that Cache finds it. Resource is as in trace.Object. A
// process that restarts replaces the caches of the one before. Any goroutine may call it.
func (s *Simulation) AddCache(actor, resource string, store cache.Store) {
	s.caches.mu.Lock()
	defer s.caches.mu.Unlock()
	if s.caches.stores == nil {
		s.caches.stores = map[cacheName]cache.Store{}
	}
	s.caches.stores[cacheName{actor, resource}] = store
}

// Cache returns the cache that an actor's informer fills, nil if it is not known: that of a client library of its own.
func (s *Simulation) Cache(actor, resource string) cache.Store {
	s.caches.mu.Lock()
	defer s.caches.mu.Unlock()
	return s.caches.stores[cacheName{actor, resource}]
}
