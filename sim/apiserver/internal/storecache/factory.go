// Package storecache has informers for what runs inside an API server: caches that change with the store, in the same
// call, and call their handlers then.
package storecache

import (
	"cmp"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/informers/admissionregistration"
	"k8s.io/client-go/informers/certificates"
	coreinformers "k8s.io/client-go/informers/core"
	"k8s.io/client-go/informers/flowcontrol"
	"k8s.io/client-go/informers/internalinterfaces"
	"k8s.io/client-go/informers/networking"
	"k8s.io/client-go/informers/node"
	"k8s.io/client-go/informers/rbac"
	"k8s.io/client-go/informers/resource"
	"k8s.io/client-go/informers/scheduling"
	"k8s.io/client-go/informers/storage"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/kubestep/kubestep/sim/apiserver/memdb"
)

// Factory is the informer factory of what runs inside the API server: admission plugins, authorizers, allocators.
// Its caches have no reflectors: every write to the store changes them before the next request. A real API server's own
// informers lag by some milliseconds behind its store.
//
// It serves the groups that these ask for. What it does not override is nil.
type Factory struct {
	informers.SharedInformerFactory
	store  Store
	caches map[schema.GroupVersionResource]*Informer
}

// Store is what a Factory reads from.
type Store interface {
	// ResourceOf finds the resource that serves a kind.
	ResourceOf(kind schema.GroupVersionKind) (schema.GroupVersionResource, bool)
	// Serves reports whether there is a resource.
	Serves(resource schema.GroupVersionResource) bool
	// Stored lists what is stored of a resource, in any version and order.
	Stored(resource schema.GroupResource) []runtime.Object
	// In returns an object in a version, which may be the one that it has.
	In(version schema.GroupVersion, object runtime.Object) runtime.Object
}

// New creates a factory. The store may be filled, and learn of its resources, later.
func New(store Store) *Factory {
	return &Factory{store: store, caches: map[schema.GroupVersionResource]*Informer{}}
}

// Admissionregistration implements informers.SharedInformerFactory.
func (f *Factory) Admissionregistration() admissionregistration.Interface {
	return admissionregistration.New(f, "", nil)
}

// Certificates implements informers.SharedInformerFactory.
func (f *Factory) Certificates() certificates.Interface { return certificates.New(f, "", nil) }

// Core implements informers.SharedInformerFactory.
func (f *Factory) Core() coreinformers.Interface { return coreinformers.New(f, "", nil) }

// Flowcontrol implements informers.SharedInformerFactory.
func (f *Factory) Flowcontrol() flowcontrol.Interface { return flowcontrol.New(f, "", nil) }

// Networking implements informers.SharedInformerFactory.
func (f *Factory) Networking() networking.Interface { return networking.New(f, "", nil) }

// Node implements informers.SharedInformerFactory.
func (f *Factory) Node() node.Interface { return node.New(f, "", nil) }

// Rbac implements informers.SharedInformerFactory.
func (f *Factory) Rbac() rbac.Interface { return rbac.New(f, "", nil) }

// Resource implements informers.SharedInformerFactory.
func (f *Factory) Resource() resource.Interface { return resource.New(f, "", nil) }

// Scheduling implements informers.SharedInformerFactory.
func (f *Factory) Scheduling() scheduling.Interface { return scheduling.New(f, "", nil) }

// Storage implements informers.SharedInformerFactory.
func (f *Factory) Storage() storage.Interface { return storage.New(f, "", nil) }

// InformerFor implements informers.SharedInformerFactory.
func (f *Factory) InformerFor(obj runtime.Object, _ internalinterfaces.NewInformerFunc) cache.SharedIndexInformer {
	kinds, _, err := legacyscheme.Scheme.ObjectKinds(obj)
	if err != nil {
		panic(fmt.Sprintf("storecache: a cache of %T: %v", obj, err))
	}
	if resource, served := f.store.ResourceOf(kinds[0]); served {
		return f.of(resource)
	}
	// Nothing of a kind that is not served is ever stored.
	return NewInformer()
}

// Start implements informers.SharedInformerFactory.
func (f *Factory) Start(<-chan struct{}) {}

// ForResource implements informers.SharedInformerFactory.
func (f *Factory) ForResource(resource schema.GroupVersionResource) (informers.GenericInformer, error) {
	if !f.store.Serves(resource) {
		return nil, fmt.Errorf("%s is not served", resource)
	}
	return resourceInformer{f.of(resource), resource.GroupResource()}, nil
}

// of returns the cache of a resource, which holds what is stored already.
func (f *Factory) of(resource schema.GroupVersionResource) *Informer {
	informer, known := f.caches[resource]
	if known {
		return informer
	}
	informer = NewInformer()
	f.caches[resource] = informer
	for _, object := range f.store.Stored(resource.GroupResource()) {
		informer.Apply(memdb.OpCreate, f.store.In(resource.GroupVersion(), object), nil)
	}
	return informer
}

// Apply brings the caches of a write's resource up to date. previous is nil for a creation.
func (f *Factory) Apply(op memdb.Op, of schema.GroupResource, object, previous runtime.Object) {
	for resource, informer := range f.caches {
		if resource.GroupResource() != of {
			continue
		}
		before := previous
		if before != nil {
			before = f.store.In(resource.GroupVersion(), before)
		}
		informer.Apply(op, f.store.In(resource.GroupVersion(), object), before)
	}
}

// resourceInformer is the cache of a resource that is known by its name.
type resourceInformer struct {
	informer *Informer
	resource schema.GroupResource
}

// Informer implements informers.GenericInformer.
func (r resourceInformer) Informer() cache.SharedIndexInformer { return r.informer }

// Lister implements informers.GenericInformer.
func (r resourceInformer) Lister() cache.GenericLister {
	return cache.NewGenericLister(r.informer.objects, r.resource)
}

// Informer is an informer of which only the cache and the handlers exist. Handlers run during the write.
type Informer struct {
	cache.SharedIndexInformer
	objects  ordered
	handlers []cache.ResourceEventHandler
}

// NewInformer creates an informer without objects.
func NewInformer() *Informer {
	return &Informer{objects: ordered{cache.NewIndexer(
		cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})}}
}

// Apply makes a change, and calls the handlers.
func (i *Informer) Apply(op memdb.Op, object, previous runtime.Object) {
	err := i.objects.Update(object)
	if op == memdb.OpDelete {
		err = i.objects.Delete(object)
	}
	if err != nil {
		panic(fmt.Sprintf("storecache: caching %T: %v", object, err))
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
func (i *Informer) AddEventHandler(handler cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	i.handlers = append(i.handlers, handler)
	for _, object := range i.objects.List() {
		handler.OnAdd(object, true)
	}
	return registered{}, nil
}

// AddIndexers implements cache.SharedIndexInformer.
func (i *Informer) AddIndexers(indexers cache.Indexers) error {
	return i.objects.AddIndexers(indexers)
}

// HasSynced implements cache.SharedInformer.
func (i *Informer) HasSynced() bool { return true }

// GetIndexer implements cache.SharedIndexInformer.
func (i *Informer) GetIndexer() cache.Indexer { return i.objects }

// GetStore implements cache.SharedInformer.
func (i *Informer) GetStore() cache.Store { return i.objects }

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
