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
func (c *caches) AddCache(actor, resource string, store cache.Store) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stores == nil {
		c.stores = map[cacheName]cache.Store{}
	}
	c.stores[cacheName{actor, resource}] = store
}

// Cache returns the cache that an actor's informer fills, or nil if it is unknown, as that of another client library.
func (c *caches) Cache(actor, resource string) cache.Store {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stores[cacheName{actor, resource}]
}
