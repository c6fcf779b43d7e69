package sim

import (
	"sync"

	"k8s.io/client-go/tools/cache"
)

// caches holds the caches of the running informers, by client and resource.
type caches struct {
	mu     sync.Mutex
	stores map[cacheName]cache.Store
}

type cacheName struct{ actor, resource string }

// AddCache registers the cache that the informer of an actor fills, for Cache to find. The resource is as in
// trace.Object. A process that restarts replaces its previous caches. AddCache is safe for concurrent use.
func (s *Simulation) AddCache(actor, resource string, store cache.Store) {
	s.caches.mu.Lock()
	defer s.caches.mu.Unlock()
	if s.caches.stores == nil {
		s.caches.stores = map[cacheName]cache.Store{}
	}
	s.caches.stores[cacheName{actor, resource}] = store
}

// Cache returns the cache that an actor's informer fills, or nil if it is unknown, as that of another client library.
func (s *Simulation) Cache(actor, resource string) cache.Store {
	s.caches.mu.Lock()
	defer s.caches.mu.Unlock()
	return s.caches.stores[cacheName{actor, resource}]
}
