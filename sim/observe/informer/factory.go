package informer

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/informers/internalinterfaces"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/cache"

	"github.com/kubestep/kubestep/sim/trace"
)

// Options configure a Factory.
type Options struct {
	Client kubernetes.Interface
	Seed   uint64
	// Resync is the period after which informers send their whole cache to their handlers again.
	Resync time.Duration
	// Shares means that what reads the caches never changes an object in them, so that Pods may share what they have in common.
	Shares bool
	// Observe is called for every read of a cache, on the goroutine that reads.
	Observe func(trace.Read)
	// Looks is called before every read of a cache, with its namespace and name if it is one of an object, on the goroutine that reads. It
	// may wait. May be nil.
	Looks func(namespace, name string)
	// Enter is called on the goroutine of each informer before it runs, with the resource as in a trace and the cache
	// that it fills; may be nil.
	Enter func(resource string, store cache.Store)
}

// Factory is an informers.SharedInformerFactory with ordered caches. It uses client-go's factory for the bookkeeping
// and only wraps each informer that is created.
type Factory struct {
	informers.SharedInformerFactory
	options Options
}

var _ informers.SharedInformerFactory = &Factory{}

// NewFactory returns a factory without informers.
func NewFactory(options Options) *Factory {
	return &Factory{
		SharedInformerFactory: informers.NewSharedInformerFactoryWithOptions(options.Client, options.Resync,
			informers.WithTransform(dropManagedFields)),
		options: options,
	}
}

// Maker returns a function that makes informers as cache.NewSharedIndexInformer does, with ordered caches. Libraries let
// one replace that function: controller-runtime, with cache.Options.NewInformer. Client and Resync of the options are
// not used.
func Maker(options Options) func(cache.ListerWatcher, runtime.Object, time.Duration, cache.Indexers) cache.SharedIndexInformer {
	factory := &Factory{options: options}
	return func(lw cache.ListerWatcher, obj runtime.Object, resync time.Duration, indexers cache.Indexers) cache.SharedIndexInformer {
		return &sharedInformer{
			SharedIndexInformer: cache.NewSharedIndexInformer(lw, obj, resync, indexers), factory: factory, resource: resourceOf(obj),
		}
	}
}

// dropManagedFields saves memory, as kube-controller-manager's own informers do (CreateControllerContext).
func dropManagedFields(obj any) (any, error) {
	if accessor, ok := obj.(metav1.Object); ok && accessor.GetManagedFields() != nil {
		accessor.SetManagedFields(nil)
	}
	return obj, nil
}

// InformerFor implements informers.SharedInformerFactory. The inner factory stores the wrapper, so every lister of this
// type reads through it.
func (f *Factory) InformerFor(obj runtime.Object, create internalinterfaces.NewInformerFunc) cache.SharedIndexInformer {
	return f.SharedInformerFactory.InformerFor(obj, func(client kubernetes.Interface, resync time.Duration) cache.SharedIndexInformer {
		return &sharedInformer{
			SharedIndexInformer: create(client, resync), factory: f, resource: resourceOf(obj),
		}
	})
}

// ForResource implements informers.SharedInformerFactory. The table of all resources is in client-go's factory, which would return
// informers of its own: one of these is what an informer of this factory wraps. (To find the methods by their names with reflection
// would keep every method of every type in the program.)
func (f *Factory) ForResource(resource schema.GroupVersionResource) (informers.GenericInformer, error) {
	plain, err := informers.NewSharedInformerFactory(f.options.Client, f.options.Resync).ForResource(resource)
	obj := objectOf(resource)
	if err != nil || obj == nil {
		return nil, fmt.Errorf("no informer found for %v", resource)
	}
	create := func(kubernetes.Interface, time.Duration) cache.SharedIndexInformer { return plain.Informer() }
	return generic{f.InformerFor(obj, create), resource.GroupResource()}, nil
}

// objectOf is an object of a resource; nil if it has no kind.
func objectOf(resource schema.GroupVersionResource) runtime.Object {
	for kind := range scheme.Scheme.KnownTypes(resource.GroupVersion()) {
		of := resource.GroupVersion().WithKind(kind)
		if plural, _ := meta.UnsafeGuessKindToResource(of); plural == resource {
			obj, err := scheme.Scheme.New(of)
			if err != nil {
				panic(fmt.Sprintf("informer: %v: %v", of, err))
			}
			return obj
		}
	}
	return nil
}

// generic implements informers.GenericInformer.
type generic struct {
	informer cache.SharedIndexInformer
	resource schema.GroupResource
}

func (g generic) Informer() cache.SharedIndexInformer { return g.informer }

func (g generic) Lister() cache.GenericLister {
	return cache.NewGenericLister(g.informer.GetIndexer(), g.resource)
}

// resourceOf guesses the plural name that a kind has in the API: Deployment is deployments.apps. A type that client-go does
// not know is called by its name, unless the object says what it is.
func resourceOf(obj runtime.Object) schema.GroupResource {
	kind := obj.GetObjectKind().GroupVersionKind()
	if kinds, _, err := scheme.Scheme.ObjectKinds(obj); err == nil {
		kind = kinds[0]
	} else if kind.Empty() {
		kind.Kind = reflect.Indirect(reflect.ValueOf(obj)).Type().Name()
	}
	plural, _ := meta.UnsafeGuessKindToResource(kind)
	return plural.GroupResource()
}

// sharedInformer is client-go's informer with an ordered view of its cache.
type sharedInformer struct {
	cache.SharedIndexInformer
	factory  *Factory
	resource schema.GroupResource
}

// GetIndexer implements cache.SharedIndexInformer.
func (s *sharedInformer) GetIndexer() cache.Indexer {
	return &indexer{
		Indexer: s.SharedIndexInformer.GetIndexer(), seed: s.factory.options.Seed,
		resource: s.resource.Resource, observe: s.factory.options.Observe, looks: s.factory.options.Looks,
	}
}

// GetStore implements cache.SharedInformer.
func (s *sharedInformer) GetStore() cache.Store { return s.GetIndexer() }

// Run implements cache.SharedInformer.
func (s *sharedInformer) Run(stop <-chan struct{}) {
	s.enter()
	s.SharedIndexInformer.Run(stop)
}

// RunWithContext implements cache.SharedInformer.
func (s *sharedInformer) RunWithContext(ctx context.Context) {
	s.enter()
	s.SharedIndexInformer.RunWithContext(ctx)
}

func (s *sharedInformer) enter() {
	if s.factory.options.Enter != nil {
		s.factory.options.Enter(s.resource.String(), s.SharedIndexInformer.GetStore())
	}
}
