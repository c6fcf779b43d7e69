package informer

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/tools/cache"

	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// indexer is an informer's cache with its lists in an order that the seed decides.
type indexer struct {
	cache.Indexer
	seed     uint64
	resource string
	observe  func(trace.Read)
	looks    func(namespace, name string)
}

var _ cache.Indexer = &indexer{}

// List implements cache.Store.
func (i *indexer) List() []any {
	i.look("", "")
	objects := i.ordered(i.Indexer.List())
	i.listed("", objects)
	return objects
}

// Index implements cache.Indexer.
func (i *indexer) Index(name string, obj any) ([]any, error) {
	i.look("", "")
	objects, err := i.Indexer.Index(name, obj)
	objects = i.ordered(objects)
	i.listed("", objects)
	return objects, err
}

// ByIndex implements cache.Indexer.
func (i *indexer) ByIndex(name, value string) ([]any, error) {
	i.look("", "")
	objects, err := i.Indexer.ByIndex(name, value)
	objects = i.ordered(objects)
	namespace := ""
	if name == cache.NamespaceIndex {
		namespace = value
	}
	i.listed(namespace, objects)
	return objects, err
}

// ListKeys implements cache.Store.
func (i *indexer) ListKeys() []string { return i.orderedKeys(i.Indexer.ListKeys()) }

// IndexKeys implements cache.Indexer.
func (i *indexer) IndexKeys(name, value string) ([]string, error) {
	keys, err := i.Indexer.IndexKeys(name, value)
	return i.orderedKeys(keys), err
}

// ListIndexFuncValues implements cache.Indexer.
func (i *indexer) ListIndexFuncValues(name string) []string {
	return i.orderedKeys(i.Indexer.ListIndexFuncValues(name))
}

// GetByKey implements cache.Store.
func (i *indexer) GetByKey(key string) (any, bool, error) {
	namespace, name, _ := cache.SplitMetaNamespaceKey(key)
	i.look(namespace, name)
	obj, found, err := i.Indexer.GetByKey(key)
	if err == nil {
		read := trace.Read{Object: trace.Object{Resource: i.resource, Namespace: namespace, Name: name}}
		if accessor, err := meta.Accessor(obj); found && err == nil {
			read.RV = accessor.GetResourceVersion()
		}
		i.observe(read)
	}
	return obj, found, err
}

// look tells of a read before it is made.
func (i *indexer) look(namespace, name string) {
	if i.looks != nil {
		i.looks(namespace, name)
	}
}

func (i *indexer) listed(namespace string, objects []any) {
	count := len(objects)
	i.observe(trace.Read{Object: trace.Object{Resource: i.resource, Namespace: namespace}, Items: &count})
}

// ranked is something with its place in the seed's order.
type ranked[T any] struct {
	rank uint64
	item T
}

// ordered sorts objects, in place: what client-go's cache returns is a new list. Lists of a thousand Pods are frequent, so no key is made
// but for two objects with the same hash.
func (i *indexer) ordered(objects []any) []any {
	if len(objects) < 2 {
		return objects
	}
	all := make([]ranked[any], len(objects))
	for n, obj := range objects {
		accessor, err := meta.Accessor(obj)
		if err != nil {
			panic("informer: an object without metadata in a cache: " + err.Error())
		}
		all[n] = ranked[any]{engine.HashKey(i.seed, accessor.GetNamespace(), accessor.GetName()), obj}
	}
	return sorted(all, objects, keyOf)
}

func keyOf(obj any) string {
	key, err := cache.MetaNamespaceKeyFunc(obj)
	if err != nil {
		panic("informer: an object without metadata in a cache: " + err.Error())
	}
	return key
}

func (i *indexer) orderedKeys(keys []string) []string {
	all := make([]ranked[string], len(keys))
	for n, key := range keys {
		all[n] = ranked[string]{engine.Hash(i.seed, key), key}
	}
	return sorted(all, keys, func(key string) string { return key })
}

// sorted puts ranked items into a list in their order.
func sorted[T any](all []ranked[T], into []T, key func(T) string) []T {
	slices.SortFunc(all, func(a, b ranked[T]) int {
		if c := cmp.Compare(a.rank, b.rank); c != 0 {
			return c
		}
		return cmp.Compare(key(a.item), key(b.item))
	})
	for n := range all {
		into[n] = all[n].item
	}
	return into
}
