package apiserver

import (
	"cmp"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/informers/admissionregistration"
	coreinformers "k8s.io/client-go/informers/core"
	"k8s.io/client-go/informers/internalinterfaces"
	"k8s.io/client-go/informers/networking"
	"k8s.io/client-go/informers/node"
	"k8s.io/client-go/informers/rbac"
	"k8s.io/client-go/informers/scheduling"
	"k8s.io/client-go/informers/storage"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/kubestep/kubestep/sim/apiserver/memdb"
)

// storedCaches is the informer factory of what runs inside the API server: admission plugins, authorizers, allocators.
// Its caches have no reflectors: every write to the store changes them before the next request. A real API server's own
// informers lag by some milliseconds behind its store.
//
// It serves the groups that these ask for. What it does not override is nil.
type storedCaches struct {
	informers.SharedInformerFactory
	server *Server
	caches map[schema.GroupVersionResource]*storedInformer
}

func newStoredCaches(s *Server) *storedCaches {
	return &storedCaches{server: s, caches: map[schema.GroupVersionResource]*storedInformer{}}
}

// Admissionregistration implements informers.SharedInformerFactory.
func (f *storedCaches) Admissionregistration() admissionregistration.Interface {
	return admissionregistration.New(f, "", nil)
}

// Core implements informers.SharedInformerFactory.
func (f *storedCaches) Core() coreinformers.Interface { return coreinformers.New(f, "", nil) }

// Networking implements informers.SharedInformerFactory.
func (f *storedCaches) Networking() networking.Interface { return networking.New(f, "", nil) }

// Node implements informers.SharedInformerFactory.
func (f *storedCaches) Node() node.Interface { return node.New(f, "", nil) }

// Rbac implements informers.SharedInformerFactory.
func (f *storedCaches) Rbac() rbac.Interface { return rbac.New(f, "", nil) }

// Scheduling implements informers.SharedInformerFactory.
func (f *storedCaches) Scheduling() scheduling.Interface { return scheduling.New(f, "", nil) }

// Storage implements informers.SharedInformerFactory.
func (f *storedCaches) Storage() storage.Interface { return storage.New(f, "", nil) }

// InformerFor implements informers.SharedInformerFactory.
func (f *storedCaches) InformerFor(obj runtime.Object, _ internalinterfaces.NewInformerFunc) cache.SharedIndexInformer {
	kinds, _, err := legacyscheme.Scheme.ObjectKinds(obj)
	if err != nil {
		panic(fmt.Sprintf("apiserver: a cache of %T: %v", obj, err))
	}
	for _, r := range f.server.resources {
		if r.Subresource == "" && r.Kind == kinds[0] {
			return f.of(r.GroupVersionResource)
		}
	}
	// Nothing of a kind that is not served is ever stored.
	return newStoredInformer()
}

// Start implements informers.SharedInformerFactory.
func (f *storedCaches) Start(<-chan struct{}) {}

// ForResource implements informers.SharedInformerFactory.
func (f *storedCaches) ForResource(resource schema.GroupVersionResource) (informers.GenericInformer, error) {
	if _, served := f.server.paths[resourcePath{GroupVersionResource: resource}]; !served {
		return nil, fmt.Errorf("%s is not served", resource)
	}
	return storedResource{f.of(resource), resource.GroupResource()}, nil
}

// of returns the cache of a resource, which holds what is stored already.
func (f *storedCaches) of(resource schema.GroupVersionResource) *storedInformer {
	informer, known := f.caches[resource]
	if known {
		return informer
	}
	informer = newStoredInformer()
	f.caches[resource] = informer
	if preferred, ok := f.server.versions[resource.GroupResource()]; ok {
		for _, object := range f.server.current {
			if kinds, _, err := legacyscheme.Scheme.ObjectKinds(object); err == nil && kinds[0] == preferred.Kind {
				informer.apply(memdb.OpCreate, in(resource, object), nil)
			}
		}
	}
	return informer
}

// in returns an object in the version of a resource.
func in(resource schema.GroupVersionResource, object runtime.Object) runtime.Object {
	if kinds, _, err := legacyscheme.Scheme.ObjectKinds(object); err == nil && kinds[0].GroupVersion() == resource.GroupVersion() {
		return object
	}
	return mustVersion(object, resource.GroupVersion())
}

// apply brings the caches of a write's resource up to date.
func (f *storedCaches) apply(c Commit) {
	for resource, informer := range f.caches {
		if resource.GroupResource() != c.Resource.GroupResource() {
			continue
		}
		var previous runtime.Object
		if c.Previous != nil {
			previous = in(resource, c.Previous)
		}
		informer.apply(c.Op, in(resource, c.Object), previous)
	}
}

// storedResource is the cache of a resource that is known by its name.
type storedResource struct {
	informer *storedInformer
	resource schema.GroupResource
}

// Informer implements informers.GenericInformer.
func (r storedResource) Informer() cache.SharedIndexInformer { return r.informer }

// Lister implements informers.GenericInformer.
func (r storedResource) Lister() cache.GenericLister {
	return cache.NewGenericLister(r.informer.objects, r.resource)
}

// storedInformer is an informer of which only the cache and the handlers exist. Handlers run during the write.
type storedInformer struct {
	cache.SharedIndexInformer
	objects  ordered
	handlers []cache.ResourceEventHandler
}

func newStoredInformer() *storedInformer {
	return &storedInformer{objects: ordered{cache.NewIndexer(
		cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})}}
}

func (i *storedInformer) apply(op memdb.Op, object, previous runtime.Object) {
	err := i.objects.Update(object)
	if op == memdb.OpDelete {
		err = i.objects.Delete(object)
	}
	if err != nil {
		panic(fmt.Sprintf("apiserver: caching %T: %v", object, err))
	}
	for _, handler := range i.handlers {
		switch {
		case op == memdb.OpDelete:
			handler.OnDelete(object)
		case previous == nil:
			handler.OnAdd(object, false)
		default:
			handler.OnUpdate(previous, object)
		}
	}
}

// AddEventHandler implements cache.SharedInformer.
func (i *storedInformer) AddEventHandler(handler cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	i.handlers = append(i.handlers, handler)
	for _, object := range i.objects.List() {
		handler.OnAdd(object, true)
	}
	return registered{}, nil
}

// AddIndexers implements cache.SharedIndexInformer.
func (i *storedInformer) AddIndexers(indexers cache.Indexers) error {
	return i.objects.AddIndexers(indexers)
}

// HasSynced implements cache.SharedInformer.
func (i *storedInformer) HasSynced() bool { return true }

// GetIndexer implements cache.SharedIndexInformer.
func (i *storedInformer) GetIndexer() cache.Indexer { return i.objects }

// GetStore implements cache.SharedInformer.
func (i *storedInformer) GetStore() cache.Store { return i.objects }

// registered is the registration of a handler, which has seen everything.
type registered struct {
	cache.ResourceEventHandlerRegistration
}

// HasSynced implements cache.ResourceEventHandlerRegistration.
func (registered) HasSynced() bool { return true }

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
