package apiserver

import (
	"cmp"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/informers"
	coreinformers "k8s.io/client-go/informers/core"
	"k8s.io/client-go/informers/internalinterfaces"
	"k8s.io/client-go/informers/scheduling"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/kubestep/kubestep/sim/apiserver/memdb"
)

// storedCaches is the informer factory of the admission plugins. Its caches have no reflectors: every write
// to the store changes them before the next request. A real API server's own informers lag by some
// milliseconds behind its store.
//
// It serves the groups that the plugins ask for. What it does not override is nil.
type storedCaches struct {
	informers.SharedInformerFactory
	server *Server
	caches map[schema.GroupResource]*storedInformer
}

// Core implements informers.SharedInformerFactory.
func (f *storedCaches) Core() coreinformers.Interface { return coreinformers.New(f, "", nil) }

// Scheduling implements informers.SharedInformerFactory.
func (f *storedCaches) Scheduling() scheduling.Interface { return scheduling.New(f, "", nil) }

// InformerFor implements informers.SharedInformerFactory. It is called before anything is written.
func (f *storedCaches) InformerFor(obj runtime.Object, _ internalinterfaces.NewInformerFunc) cache.SharedIndexInformer {
	resource := f.resourceOf(obj)
	informer, known := f.caches[resource]
	if !known {
		informer = &storedInformer{objects: ordered{cache.NewIndexer(
			cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})}}
		f.caches[resource] = informer
	}
	return informer
}

// resourceOf finds the resource whose commits have the type of obj.
func (f *storedCaches) resourceOf(obj runtime.Object) schema.GroupResource {
	kinds, _, err := legacyscheme.Scheme.ObjectKinds(obj)
	if err == nil {
		for name, resource := range f.server.versions {
			if resource.Kind == kinds[0] {
				return name
			}
		}
	}
	panic(fmt.Sprintf("apiserver: an admission plugin wants a cache of %T, which no commit has", obj))
}

// holds reports whether a plugin needs the writes to a resource.
func (f *storedCaches) holds(resource schema.GroupResource) bool { return f.caches[resource] != nil }

// apply brings the cache of a write's resource up to date.
func (f *storedCaches) apply(c Commit) {
	informer, held := f.caches[c.Resource.GroupResource()]
	if !held {
		return
	}
	err := informer.objects.Update(c.Object)
	if c.Op == memdb.OpDelete {
		err = informer.objects.Delete(c.Object)
	}
	if err != nil {
		panic(fmt.Sprintf("apiserver: caching %T for admission: %v", c.Object, err))
	}
}

// storedInformer is an informer of which only the cache exists.
type storedInformer struct {
	cache.SharedIndexInformer
	objects ordered
}

// HasSynced implements cache.SharedInformer.
func (i *storedInformer) HasSynced() bool { return true }

// GetIndexer implements cache.SharedIndexInformer.
func (i *storedInformer) GetIndexer() cache.Indexer { return i.objects }

// GetStore implements cache.SharedInformer.
func (i *storedInformer) GetStore() cache.Store { return i.objects }

// ordered lists what an indexer holds by namespace and name. client-go's own order is that of a Go map, and
// of two LimitRanges that differ the first one decides.
type ordered struct{ cache.Indexer }

// List implements cache.Store.
func (o ordered) List() []any { return byKey(o.Indexer.List()) }

// Index implements cache.Indexer.
func (o ordered) Index(name string, obj any) ([]any, error) {
	found, err := o.Indexer.Index(name, obj)
	return byKey(found), err
}

// ByIndex implements cache.Indexer.
func (o ordered) ByIndex(name, value string) ([]any, error) {
	found, err := o.Indexer.ByIndex(name, value)
	return byKey(found), err
}

func byKey(objects []any) []any {
	slices.SortFunc(objects, func(a, b any) int {
		left, _ := cache.MetaNamespaceKeyFunc(a)
		right, _ := cache.MetaNamespaceKeyFunc(b)
		return cmp.Compare(left, right)
	})
	return objects
}
