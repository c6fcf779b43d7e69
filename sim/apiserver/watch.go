package apiserver

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	pvcstore "k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim/storage"
	servicestore "k8s.io/kubernetes/pkg/registry/core/service/storage"

	"github.com/kubestep/kubestep/sim/apiserver/extensions"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
)

// Stream is an open watch. Events wait in it until the caller takes them with Next, so that the caller decides when
// each one arrives.
type Stream struct {
	server   *Server
	resource *Resource
	pending  memdb.EventSource
	complete func(runtime.Object)
	stop     func()
	// onEnd registers what is called when the server ends the watch; nil if it never does.
	onEnd func(func())
	// untyped means that the events have custom resources, in the version of the watch.
	untyped bool
}

// OpenWatch starts a watch. notify is called once for each event that waits in the stream: before
// OpenWatch returns for those that wait from the start, later on the goroutine that writes.
func (s *Server) OpenWatch(req Request, notify func()) (*Stream, error) {
	if s.others.Serves(req.Resource.GroupVersion()) {
		return nil, notAllowed() // a watch is not forwarded
	}
	if s.isCustom(req.Resource) {
		return s.watchCustom(req, notify)
	}
	resource, err := s.find(req)
	if err != nil {
		return nil, err
	}
	watcher, complete := watcherOf(resource.storage)
	if watcher == nil {
		return nil, notAllowed()
	}
	req.ListOptions.Watch = true
	options, err := listOptions(resource, req.ListOptions)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(s.requestContext(req, resource))
	if !req.authorized {
		if err := s.authorize(ctx); err != nil {
			cancel()
			return nil, answer(err)
		}
	}
	source, err := watcher.Watch(ctx, options)
	if err != nil {
		cancel()
		return nil, answer(err)
	}
	pending, ok := source.(memdb.EventSource)
	if !ok {
		cancel()
		source.Stop()
		return nil, fmt.Errorf("apiserver: the registry of %s wraps its watches: teach watcherOf", req.Path())
	}
	pending.SetNotify(notify)
	stop := func() {
		cancel()
		source.Stop()
	}
	return &Stream{server: s, resource: resource, pending: pending, complete: complete, stop: stop}, nil
}

// watcherOf returns what watches a resource, nil if nothing does, and what completes each object on its
// way out. Upstream completes services and persistentvolumeclaims, of which old versions may have stored
// less, on a goroutine per watch. Here that is left to Next, so that no goroutine comes between a write
// and its announcement.
func watcherOf(storage rest.Storage) (rest.Watcher, func(runtime.Object)) {
	var store *genericregistry.Store
	switch s := storage.(type) {
	case *servicestore.REST:
		store = s.Store
	case *pvcstore.REST:
		store = s.Store
	default:
		watcher, _ := storage.(rest.Watcher)
		return watcher, nil
	}
	plain := *store
	plain.Decorator = nil
	return &plain, store.Decorator
}

// Waiting returns the revision of the oldest waiting event. ok is false if none waits.
func (s *Stream) Waiting() (revision uint64, ok bool) { return s.pending.Waiting() }

// Next returns the oldest waiting event, converted to the version of the watched resource. ok is false if none waits.
// The object belongs to the caller. Next may wait for a webhook if MayWait says so of the request.
func (s *Stream) Next() (event watch.Event, ok bool) {
	event, ok = s.pending.Next()
	if !ok || event.Type == watch.Error {
		return event, ok
	}
	event.Object = s.external(event.Object)
	return event, true
}

func (s *Stream) external(obj runtime.Object) runtime.Object {
	if s.untyped {
		return extensions.Untyped(obj).DeepCopy()
	}
	if s.complete != nil {
		obj = obj.DeepCopyObject()
		s.complete(obj)
	} else if out, ok := s.server.newest.copyOf(obj, s.resource.GroupVersion()); ok {
		return out
	}
	return mustVersion(obj, s.resource.GroupVersion())
}

// Bookmark adds an event that contains nothing but the current resourceVersion, so that a client whose resources rarely
// change can resume the watch from there.
func (s *Stream) Bookmark() { s.pending.Bookmark() }

// OnEnd registers a function that is called, on any goroutine, when the server ends the watch by itself: that of a custom resource
// whose definition is deleted or changes.
func (s *Stream) OnEnd(f func()) {
	if s.onEnd != nil {
		s.onEnd(f)
	}
}

// Stop ends the watch.
func (s *Stream) Stop() { s.stop() }
