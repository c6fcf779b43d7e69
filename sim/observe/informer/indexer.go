package informer

import (
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
}

var _ cache.Indexer = &indexer{}

// List implements cache.Store.
func (i *indexer) List() []any {
	objects := i.ordered(i.Indexer.List())
	i.listed("", objects)
	return objects
}

// Index implements cache.Indexer.
func (i *indexer) Index(name string, obj any) ([]any, error) {
	objects, err := i.Indexer.Index(name, obj)
	objects = i.ordered(objects)
	i.listed("", objects)
	return objects, err
}

// ByIndex implements cache.Indexer.
func (i *indexer) ByIndex(name, value string) ([]any, error) {
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
	obj, found, err := i.Indexer.GetByKey(key)
	if err == nil {
		namespace, name, _ := cache.SplitMetaNamespaceKey(key)
		read := trace.Read{Object: trace.Object{Resource: i.resource, Namespace: namespace, Name: name}}
		if accessor, err := meta.Accessor(obj); found && err == nil {
			read.RV = accessor.GetResourceVersion()
		}
		i.observe(read)
	}
	return obj, found, err
}

func (i *indexer) listed(namespace string, objects []any) {
	count := len(objects)
	i.observe(trace.Read{Object: trace.Object{Resource: i.resource, Namespace: namespace}, Items: &count})
}

// ranked is an object with its place in the seed's order.
type ranked struct {
	rank   uint64
	key    string
	object any
}

func (i *indexer) ordered(objects []any) []any {
	if len(objects) < 2 {
		return objects
	}
	all := make([]ranked, len(objects))
	for n, obj := range objects {
		key, err := cache.MetaNamespaceKeyFunc(obj)
		if err != nil {
			panic("informer: an object without metadata in a cache: " + err.Error())
		}
		all[n] = ranked{engine.Hash(i.seed, key), key, obj}
	}
	slices.SortFunc(all, compareRanked)
	sorted := make([]any, len(objects))
	for n := range all {
		sorted[n] = all[n].object
	}
	return sorted
}

func (i *indexer) orderedKeys(keys []string) []string {
	all := make([]ranked, len(keys))
	for n, key := range keys {
		all[n] = ranked{rank: engine.Hash(i.seed, key), key: key}
	}
	slices.SortFunc(all, compareRanked)
	sorted := make([]string, len(keys))
	for n := range all {
		sorted[n] = all[n].key
	}
	return sorted
}

func compareRanked(a, b ranked) int {
	switch {
	case a.rank < b.rank:
		return -1
	case a.rank > b.rank:
		return 1
	case a.key < b.key:
		return -1
	case a.key > b.key:
		return 1
	}
	return 0
}
