package recording

import (
	"iter"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// Caches tracks the contents of all informers' caches while a trace is read. A cache holds what its informer listed,
// and then each watch event that arrived. Both refer to versions in the store, so only their numbers are kept: a run
// may have its Caches from its first record to its last. A record does not contain the selector of a list or a watch; a
// cache of a selection is treated as one of the whole resource.
//
//	17 request  shared-informers lists pods            the cache has what existed at the list's revision
//	52 request  kube-scheduler binds pods/web-1, rv 31 the store has it, the cache is stale
//	54 watch    shared-informers MODIFIED pods/web-1   now the cache has rv 31 as well
type Caches struct {
	// store is nil if only the revisions are kept that caches had received; see NewRevisions.
	store     *Store
	informers map[watched]*Informer
	// sorted are the informers by name.
	sorted []*Informer
	// lists are the last lists of those who have not watched yet. Some of them never will: a controller may list to
	// read the API server itself.
	lists map[watched]*trace.Record
	// need and needStore make the caches and the store of a recording that does not have them yet, and needObjects what caches held; they
	// are nil for others.
	need, needStore, needObjects func()
}

// watched is a client and a resource that it watches.
type watched struct{ actor, resource string }

// Informer is one informer's cache over time.
type Informer struct {
	// Actor is the client that lists and watches, Resource what it watches.
	Actor, Resource string
	changes         []change
	// events counts the watch events that it received.
	events int
	// objects are what it held, and listed how many of its changes are lists that objects have.
	objects map[trace.Object][]held
	listed  int
	of      *Caches
}

// change means that from a record on a cache had received everything up to a revision.
type change struct {
	seq int64
	at  time.Duration
	rv  uint64
	// events counts the events so far, and lag is how old the last of them was when it arrived.
	lag    time.Duration
	events int32
	// event is that of a watch, but no bookmark, and list a list.
	event, list bool
}

// held is the resourceVersion of an object in a cache from a record on; 0 for none.
type held struct {
	seq int64
	rv  uint64
}

// NewCaches returns Caches before the first record.
func NewCaches() *Caches {
	return &Caches{store: NewStore(), informers: map[watched]*Informer{}, lists: map[watched]*trace.Record{}}
}

// NewRevisions returns Caches that know up to which revision each cache had received everything, and not what it held: Revision and
// Between of an Informer, but no objects and no Store. They need less than half of the memory.
func NewRevisions() *Caches {
	return &Caches{informers: map[watched]*Informer{}, lists: map[watched]*trace.Record{}}
}

// Forget forgets what caches had received before a time, but for the last of it: Revision and Between know no earlier one any more.
func (c *Caches) Forget(before time.Duration) {
	for _, i := range c.sorted {
		if n := sort.Search(len(i.changes), func(n int) bool { return i.changes[n].at >= before }); n > 1 {
			i.changes = slices.Clone(i.changes[n-1:])
		}
	}
}

// Store returns the store that the caches are filled from.
func (c *Caches) Store() *Store {
	if c.needStore != nil {
		c.needStore()
	}
	return c.store
}

// Add adds the next record.
func (c *Caches) Add(record *trace.Record) {
	if c.store != nil {
		c.store.Add(record)
	}
	c.add(record)
	if c.store != nil {
		c.hold(record)
	}
}

// add adds the next record to what the caches had received.
func (c *Caches) add(record *trace.Record) {
	switch {
	case record.Request != nil:
		c.requested(record)
	case record.Watch != nil && record.Watch.RV > 0:
		c.received(record)
	}
}

// requested adds a list, which fills a cache if its actor watches the resource, or the opening of a watch.
func (c *Caches) requested(record *trace.Record) {
	r := record.Request
	which := watched{record.Actor, r.Resource}
	switch {
	case r.Code != 200:
	case r.Verb == "list" && c.watches(which):
		c.listed(record)
	case r.Verb == "list" && record.Cause == 0:
		request := &trace.Request{Object: r.Object, RV: r.RV}
		c.lists[which] = &trace.Record{Seq: record.Seq, At: record.At, Actor: record.Actor, Request: request}
	case r.Verb == "watch" && c.lists[which] != nil:
		c.listed(c.lists[which])
		delete(c.lists, which)
	}
}

// watches reports whether an actor is known to watch a resource; the clients of the shared informers do nothing else.
func (c *Caches) watches(which watched) bool {
	name, _ := trace.SplitActor(which.actor)
	return c.informers[which] != nil || name == trace.InformerActor || name == trace.MetadataActor
}

// listed adds a list, whose revision need not be the newest.
func (c *Caches) listed(record *trace.Record) {
	rv, err := strconv.ParseUint(record.Request.RV, 10, 64)
	if err != nil {
		return
	}
	i := c.informer(record.Actor, record.Request.Resource)
	i.change(change{seq: record.Seq, at: record.At, rv: rv, list: true}, 0)
}

// received adds a watch event. A bookmark has no object.
func (c *Caches) received(record *trace.Record) {
	w := record.Watch
	i := c.informer(record.Actor, w.Resource)
	event := w.Type != "BOOKMARK"
	i.change(change{seq: record.Seq, at: record.At, rv: w.RV, event: event}, record.At-w.Written)
	if event {
		i.events++
	}
}

// hold adds the next record, which the store and add have, to the objects in the caches.
func (c *Caches) hold(record *trace.Record) {
	switch w := record.Watch; {
	case record.Request != nil && (record.Request.Verb == "list" || record.Request.Verb == "watch"):
		if i := c.informers[watched{record.Actor, record.Request.Resource}]; i != nil {
			c.holdLists(i, record.Seq)
		}
	case w != nil && w.RV > 0:
		i := c.informers[watched{record.Actor, w.Resource}]
		c.holdLists(i, record.Seq)
		switch w.Type {
		case "DELETED":
			i.hold(w.Object, record.Seq, 0)
		case "ADDED", "MODIFIED":
			i.hold(w.Object, record.Seq, w.RV)
		}
	}
}

// holdLists replaces the content of a cache by what existed at the revision of each of its lists up to a record.
func (c *Caches) holdLists(i *Informer, seq int64) {
	for ; i.listed < len(i.changes) && i.changes[i.listed].seq <= seq; i.listed++ {
		list := i.changes[i.listed]
		if !list.list {
			continue
		}
		for o := range i.objects {
			if c.store.revision(o, list.rv) == 0 {
				i.hold(o, list.seq, 0)
			}
		}
		if of := c.store.resources[i.Resource]; of != nil {
			for _, o := range of.objects {
				if version := c.store.revision(o, list.rv); version != 0 {
					i.hold(o, list.seq, version)
				}
			}
		}
	}
}

func (c *Caches) informer(actor, resource string) *Informer {
	which := watched{actor, resource}
	i := c.informers[which]
	if i == nil {
		i = &Informer{Actor: actor, Resource: resource, of: c, objects: map[trace.Object][]held{}}
		c.informers[which] = i
		at, _ := slices.BinarySearchFunc(c.sorted, i, byName)
		c.sorted = slices.Insert(c.sorted, at, i)
	}
	return i
}

// change adds a change. lag is that of an event.
func (i *Informer) change(c change, lag time.Duration) {
	if n := len(i.changes); n > 0 {
		c.events, c.lag = i.changes[n-1].events, i.changes[n-1].lag
	}
	if c.event {
		c.events, c.lag = c.events+1, lag
	}
	i.changes = append(i.changes, c)
}

func (i *Informer) hold(o trace.Object, seq int64, rv uint64) {
	versions := i.objects[o]
	if n := len(versions); n > 0 && versions[n-1].rv == rv {
		return
	}
	i.objects[o] = append(versions, held{seq, rv})
}

// Read is the informer from which an actor reads a resource: its own, or the shared one of its process. It is nil if
// neither is known.
func (c *Caches) Read(actor, resource string) *Informer {
	c.made()
	if i := c.informers[watched{actor, resource}]; i != nil {
		return i
	}
	_, suffix := trace.SplitActor(actor)
	return c.informers[watched{trace.InformerActor + suffix, resource}]
}

// Informers returns all informers, by name. The slice must not be modified.
func (c *Caches) Informers() []*Informer {
	c.made()
	return c.sorted
}

func (c *Caches) made() {
	if c.need != nil {
		c.need()
	}
}

func byName(a, b *Informer) int {
	return strings.Compare(a.Actor+"/"+a.Resource, b.Actor+"/"+b.Resource)
}

// held are the objects that the cache held.
func (i *Informer) held() map[trace.Object][]held {
	if i.of.needObjects != nil {
		i.of.needObjects()
	}
	return i.objects
}

// Version is the resourceVersion of an object in the cache after record seq; 0 for none.
func (i *Informer) Version(o trace.Object, seq int64) uint64 {
	if i == nil {
		return 0
	}
	versions := i.held()[o]
	n := sort.Search(len(versions), func(n int) bool { return versions[n].seq > seq })
	if n == 0 {
		return 0
	}
	return versions[n-1].rv
}

// History yields the versions of an object in the cache up to record seq, the newest first, each with the record from which on it
// was there. The revision 0 means that there was none.
func (i *Informer) History(o trace.Object, seq int64) iter.Seq2[int64, uint64] {
	return func(yield func(int64, uint64) bool) {
		if i == nil {
			return
		}
		for _, version := range slices.Backward(i.held()[o]) {
			if version.seq <= seq && !yield(version.seq, version.rv) {
				return
			}
		}
	}
}

// FirstAfter is the first record after seq with which the cache received something, such as the list of a process that started
// again; 0 for none.
func (i *Informer) FirstAfter(seq int64) int64 {
	if n := i.until(seq); n < len(i.changes) {
		return i.changes[n].seq
	}
	return 0
}

// Objects are the objects of a namespace in the cache after record seq, by name; of all namespaces if it is empty.
func (i *Informer) Objects(namespace string, seq int64) []trace.Object {
	if i == nil {
		return nil
	}
	var objects []trace.Object
	for o := range i.held() {
		if (namespace == "" || o.Namespace == namespace) && i.Version(o, seq) != 0 {
			objects = append(objects, o)
		}
	}
	slices.SortFunc(objects, compareObjects)
	return objects
}

// Revision is the revision up to which the cache had received everything after record seq; 0 before its first list.
func (i *Informer) Revision(seq int64) uint64 {
	if n := i.until(seq); n > 0 {
		return i.changes[n-1].rv
	}
	return 0
}

// until counts the changes up to record seq.
func (i *Informer) until(seq int64) int {
	return sort.Search(len(i.changes), func(n int) bool { return i.changes[n].seq > seq })
}

// Between returns the least and the greatest revision that a client can have read from the cache between two times,
// both included. An event at the first time may arrive after the read. Before the first list, it is that of the list.
func (i *Informer) Between(from, to time.Duration) (least, greatest uint64) {
	first := sort.Search(len(i.changes), func(n int) bool { return i.changes[n].at >= from })
	last := sort.Search(len(i.changes), func(n int) bool { return i.changes[n].at > to })
	a, b := i.changes[max(0, first-1)].rv, i.changes[max(0, last-1)].rv
	// A list of an older revision sets a cache back.
	return min(a, b), max(a, b)
}
