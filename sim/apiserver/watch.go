package apiserver

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/kubestep/kubestep/sim/apiserver/memdb"
)

// Stream is an open watch. Events wait in it until the caller takes them with Next, so that the caller
// decides when each one arrives.
type Stream struct {
	resource *Resource
	source   watch.Interface
	pending  memdb.EventSource
	cancel   context.CancelFunc
}

// OpenWatch starts a watch. notify is called, on the goroutine that writes, whenever events wait in the
// stream.
func (s *Server) OpenWatch(req Request, notify func()) (*Stream, error) {
	resource, err := s.find(req)
	if err != nil {
		return nil, err
	}
	watcher, ok := resource.storage.(rest.Watcher)
	if !ok {
		return nil, notSupported(resource, "watch")
	}
	options, err := listOptions(resource, req.ListOptions)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(requestContext(req, resource))
	source, err := watcher.Watch(ctx, options)
	if err != nil {
		cancel()
		return nil, err
	}
	stream := &Stream{resource: resource, source: source, cancel: cancel}
	if pending, ok := source.(memdb.EventSource); ok {
		stream.pending = pending
	} else {
		stream.pending = drain(source)
	}
	stream.pending.SetNotify(notify)
	return stream, nil
}

// Next takes the oldest waiting event, converted to the version of the watched resource. ok is false
// when none waits. The object belongs to the caller.
func (s *Stream) Next() (event watch.Event, ok bool) {
	event, ok = s.pending.Next()
	if !ok || event.Type == watch.Error {
		return event, ok
	}
	event.Object = s.external(event.Object)
	return event, true
}

func (s *Stream) external(obj runtime.Object) runtime.Object {
	out, err := legacyscheme.Scheme.ConvertToVersion(obj, s.resource.GroupVersion())
	if err != nil {
		panic("apiserver: converting a watch event: " + err.Error())
	}
	out.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	return out
}

// Stop ends the watch.
func (s *Stream) Stop() {
	s.cancel()
	s.source.Stop()
}
