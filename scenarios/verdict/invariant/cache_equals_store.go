package invariant

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/kubestep/kubestep/sim/apiserver/memdb"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

var cacheEqualsStore = Invariant{
	Name: "cache-equals-store",
	Sentence: "If no events are on their way to an informer and no fault holds its watch, its cache contains what the API server " +
		"stores: the same objects, at the same resourceVersions.",
	Forgives: "Informers that are not connected. Objects that a watch with a selector never reported.",
	Upstream: "https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes; " +
		"Reflector in k8s.io/client-go/tools/cache",
	watch: func(r *Run) watcher {
		return &caches{run: r, stores: map[string]*stored{}}
	},
}

// caches follows what each informer received. What a cache holds follows from the resourceVersion from which it watches
// and from the events since, so only the differences from the store are kept: none, most of the time.
type caches struct {
	passive
	run    *Run
	stores map[string]*stored
	order  []*cached
	looked bool
}

// stored is one resource in the store: the revision of each object by namespace/name, and the writes that a watch may
// still begin before.
type stored struct {
	objects map[string]uint64
	writes  []write
	caches  []*cached
	// old are how many of the writes were known at a time, an hour ago or less.
	old  int
	then time.Duration
}

// write is one change of one object; before is the revision that it replaced, 0 for a creation.
type write struct {
	key        string
	rv, before uint64
}

// cached is the cache of one informer.
type cached struct {
	*network.Stream
	// differs holds, for each object of which the cache is not up to date, the revision that it has, 0 for none.
	differs map[string]uint64
	// sent are the objects that a selective stream has sent and that have not been deleted.
	sent map[string]bool
	// broken means that the difference was reported.
	broken bool
}

// For watches that begin in the past, the writes of a resource are kept for one to two hours: the API server's history is shorter. Of more
// than twice keptWrites, the older half is forgotten earlier.
const (
	keptFor    = time.Hour
	keptWrites = 10_000
)

// forget forgets the writes before which no watch begins any more.
func (s *stored) forget(now time.Duration) {
	if now-s.then >= keptFor {
		s.writes = slices.Clone(s.writes[s.old:])
		s.old, s.then = len(s.writes), now
	}
	if len(s.writes) >= 2*keptWrites {
		s.writes = slices.Clone(s.writes[keptWrites:])
		s.old = max(0, s.old-keptWrites)
	}
}

func (c *caches) hasLooked() bool { return c.looked }

// of returns a resource. Events have two names and one store.
func (c *caches) of(resource string) *stored {
	if resource == "events.events.k8s.io" {
		resource = "events"
	}
	if c.stores[resource] == nil {
		c.stores[resource] = &stored{objects: map[string]uint64{}}
	}
	return c.stores[resource]
}

func (c *caches) opened(stream *network.Stream) {
	store := c.of(stream.Resource)
	one := &cached{Stream: stream, differs: map[string]uint64{}, sent: map[string]bool{}}
	if stream.From == 0 {
		for key := range store.objects {
			one.wrote(write{key: key})
		}
	}
	if stream.From > 0 {
		missed := sort.Search(len(store.writes), func(i int) bool { return store.writes[i].rv > stream.From })
		for _, w := range store.writes[missed:] {
			one.wrote(w)
		}
	}
	for key, rv := range one.differs {
		if store.objects[key] == rv {
			delete(one.differs, key)
		}
	}
	// A stream that has ended is of no interest any more.
	closed := func(other *cached) bool { return !other.Open() }
	store.caches = append(slices.DeleteFunc(store.caches, closed), one)
	c.order = append(slices.DeleteFunc(c.order, closed), one)
}

// wrote notes that an object has changed: from now on the cache has the revision before.
func (one *cached) wrote(w write) {
	namespace, _, _ := strings.Cut(w.key, "/")
	_, differs := one.differs[w.key]
	if differs || one.Namespace != "" && one.Namespace != namespace || one.Selective && !one.sent[w.key] {
		return
	}
	one.differs[w.key] = w.before
}

func (c *caches) change(change *change) {
	accessor, err := meta.Accessor(change.Object)
	if err != nil {
		return
	}
	store := c.of(change.Resource.GroupResource().String())
	w := write{key: accessor.GetNamespace() + "/" + accessor.GetName(), rv: change.Revision}
	w.before = store.objects[w.key]
	if change.Op == memdb.OpDelete {
		delete(store.objects, w.key)
	} else {
		store.objects[w.key] = w.rv
	}
	store.forget(c.run.Now())
	store.writes = append(store.writes, w)
	for _, one := range store.caches {
		one.wrote(w)
	}
}

func (c *caches) delivered(d *network.Delivery) {
	store := c.of(d.Resource)
	i := slices.IndexFunc(store.caches, func(one *cached) bool { return one.Stream == d.Stream })
	if i < 0 || d.Name == "" {
		return
	}
	c.looked = true
	one, key, rv := store.caches[i], d.Namespace+"/"+d.Name, d.Revision
	switch {
	case d.Type == watch.Deleted && one.Selective:
		// It may exist on, without matching.
		delete(one.sent, key)
		delete(one.differs, key)
		return
	case d.Type == watch.Deleted:
		rv = 0
	case one.Selective:
		one.sent[key] = true
	}
	if store.objects[key] == rv {
		delete(one.differs, key)
	} else {
		one.differs[key] = rv
	}
	c.compare(one, store, d.Seq)
}

func (c *caches) end() {
	for _, one := range c.order {
		if one.Open() {
			store := c.of(one.Resource)
			c.read(one, store)
			c.compare(one, store, 0)
		}
	}
}

// read looks into the cache itself, where that is known: client-go may have made something else of what it received.
func (c *caches) read(one *cached, store *stored) {
	held := c.run.Cache(one.Actor, one.Resource)
	if held == nil || one.Selective || one.Namespace != "" || !one.Idle() {
		return
	}
	has := map[string]uint64{}
	for _, object := range held.List() {
		if accessor, err := meta.Accessor(object); err == nil {
			rv, _ := strconv.ParseUint(accessor.GetResourceVersion(), 10, 64)
			has[accessor.GetNamespace()+"/"+accessor.GetName()] = rv
		}
	}
	for key, rv := range has {
		if rv != store.objects[key] {
			one.differs[key] = rv
		}
	}
	for key := range store.objects {
		if has[key] == 0 {
			one.differs[key] = 0
		}
	}
}

// compare looks at a cache to which nothing travels.
func (c *caches) compare(one *cached, store *stored, seq int64) {
	if len(one.differs) == 0 || one.broken || !one.Idle() {
		return
	}
	one.broken = true
	key := slices.Sorted(maps.Keys(one.differs))[0]
	namespace, name, _ := strings.Cut(key, "/")
	c.run.broken(seq, fmt.Sprintf("%s: the cache of %s has %s, the API server has %s, and no event is on its way",
		trace.ObjectName(trace.Object{Resource: one.Resource, Namespace: namespace, Name: name}),
		one.Actor, version(one.differs[key]), version(store.objects[key])))
}

func version(rv uint64) string {
	if rv == 0 {
		return "no such object"
	}
	return fmt.Sprintf("resourceVersion %d", rv)
}
