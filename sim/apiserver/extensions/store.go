package extensions

import (
	"context"
	"net/http"
	"slices"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storage/storagebackend/factory"
	"k8s.io/client-go/tools/cache"

	"github.com/kubestep/kubestep/sim/apiserver/memdb"
)

// stores keeps the objects of the server in the database of the simulation.
type stores struct {
	server *Server
	codec  runtime.Codec
}

// GetRESTOptions implements generic.RESTOptionsGetter.
func (s stores) GetRESTOptions(resource schema.GroupResource, _ runtime.Object) (generic.RESTOptions, error) {
	config := storagebackend.Config{Prefix: s.server.config.Root, Codec: s.codec}
	return generic.RESTOptions{
		StorageConfig: config.ForResource(resource), Decorator: s.decorate, EnableGarbageCollection: true,
		// One worker keeps the deletions of a deletecollection in one order.
		DeleteCollectionWorkers: 1,
		ResourcePrefix:          prefix(resource),
	}, nil
}

// prefix is where the objects of a resource are, below the root.
func prefix(resource schema.GroupResource) string { return resource.Group + "/" + resource.Resource }

// decorate makes the storage of one version of a resource.
func (s stores) decorate(
	config *storagebackend.ConfigForResource, resourcePrefix string, keyOf func(runtime.Object) (string, error),
	newObject, newList func() runtime.Object, attributes storage.AttrFunc, triggers storage.IndexerFuncs, indexers *cache.Indexers,
) (storage.Interface, factory.DestroyFunc, error) {
	store, destroy, err := s.server.config.DB.VersionDecorator(
		config, resourcePrefix, keyOf, newObject, newList, attributes, triggers, indexers)
	if err != nil {
		return nil, nil, err
	}
	o := &observed{Interface: store}
	return o, func() {
		destroy()
		o.end()
	}, nil
}

// observed is a storage whose watches can be handed to an Opening. It ends when its definition is deleted or changes.
type observed struct {
	storage.Interface

	mu      sync.Mutex
	ended   bool
	watches []*Opening
}

// add remembers a watch, and reports whether the storage still serves it.
func (s *observed) add(o *Opening) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return false
	}
	s.watches = append(s.watches, o)
	return true
}

func (s *observed) remove(o *Opening) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watches = slices.DeleteFunc(s.watches, func(other *Opening) bool { return other == o })
}

// end tells the watches that no more events come.
func (s *observed) end() {
	s.mu.Lock()
	watches := s.watches
	s.ended, s.watches = true, nil
	s.mu.Unlock()
	for _, o := range watches {
		o.end()
	}
}

// Watch implements storage.Interface.
func (s *observed) Watch(ctx context.Context, key string, options storage.ListOptions) (watch.Interface, error) {
	opening, ok := ctx.Value(openingKey{}).(*Opening)
	if !ok {
		return s.Interface.Watch(ctx, key, options)
	}
	source, err := s.Interface.Watch(opening.ctx, key, options)
	if err != nil {
		return nil, err
	}
	opening.Source = source.(memdb.EventSource)
	opening.stop = func() {
		s.remove(opening)
		source.Stop()
	}
	if !s.add(opening) {
		opening.end()
	}
	return nil, errOpened
}

// errOpened ends upstream's handler of a watch, which would send events whenever it can. Nobody sees it.
var errOpened = apierrors.NewGenericServerResponse(http.StatusConflict, "watch", schema.GroupResource{}, "", "handed over", 0, false)

// Opening is a watch that is being opened: a context for upstream's handler in which the storage hands over the watch.
type Opening struct {
	// Source has the events, decoded in the version of the watch; nil if the handler refused the request.
	Source memdb.EventSource

	ctx    context.Context
	cancel context.CancelFunc
	stop   func()

	mu    sync.Mutex
	ended bool
	onEnd func()
}

// OnEnd sets the function that is called, on any goroutine, when the server ends the watch because its resource is served no more
// or in another way.
func (o *Opening) OnEnd(f func()) {
	o.mu.Lock()
	o.onEnd = f
	ended := o.ended
	o.mu.Unlock()
	if ended {
		f()
	}
}

func (o *Opening) end() {
	o.mu.Lock()
	o.ended = true
	f := o.onEnd
	o.mu.Unlock()
	if f != nil {
		f()
	}
}

type openingKey struct{}

// Open returns an Opening, and the context for the request.
func Open(ctx context.Context) (*Opening, context.Context) {
	o := &Opening{stop: func() {}}
	o.ctx, o.cancel = context.WithCancel(context.WithoutCancel(ctx))
	return o, context.WithValue(ctx, openingKey{}, o)
}

// Stop ends the watch.
func (o *Opening) Stop() {
	o.cancel()
	o.stop()
}
