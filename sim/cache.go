package sim

import (
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
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

// CachesAreCurrent reports whether the caches of all informers have the objects of the store in their newest versions. An informer that
// holds a part of the objects counts as one that does not.
func (s *Simulation) CachesAreCurrent() bool {
	for _, name := range s.cacheNames() {
		resource := schema.ParseGroupResource(name.resource)
		cached := s.Cache(name.actor, name.resource).List()
		if len(cached) != len(s.State.List(resource, "")) {
			return false
		}
		for _, item := range cached {
			mine, err := meta.Accessor(item)
			if err != nil {
				return false
			}
			stored, ok := s.State.Get(resource, mine.GetNamespace(), mine.GetName())
			if !ok {
				return false
			}
			its, err := meta.Accessor(stored)
			if err != nil || mine.GetResourceVersion() != its.GetResourceVersion() {
				return false
			}
		}
	}
	return true
}

// Cache returns the cache that an actor's informer fills, or nil if it is unknown, as that of another client library.
func (c *caches) Cache(actor, resource string) cache.Store {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stores[cacheName{actor, resource}]
}
