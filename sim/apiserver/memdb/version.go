package memdb

import (
	"net/http"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// The Stores of VersionDecorator each read one version of a resource. To decode what another of them wrote may mean to convert
// it, and a webhook that converts takes its time, may fail, and may send requests itself. So these Stores decode without a lock:
// when an object is read, and when an event of a watch is taken.
//
// The watch cache of kube-apiserver, one for each version, decodes an object once, when it was written. Lists, watches and the
// first attempt of an update see that object. Here a Store decodes it when the first of them needs it, and remembers it. A Get
// reads etcd and decodes again, and so it does here.

// views are the objects that Stores have made of one entry.
type views struct {
	mu      sync.Mutex
	objects map[*store]runtime.Object
}

// keep remembers what the Store has made of an entry. Without other Stores, nobody else has seen the entry.
func (s *store) keep(e *entry, object runtime.Object) {
	if !s.decodes {
		e.object = object
		return
	}
	e.views.mu.Lock()
	defer e.views.mu.Unlock()
	if e.views.objects == nil {
		e.views.objects = map[*store]runtime.Object{}
	}
	e.views.objects[s] = object
}

// kept is what the Store has made of an entry, nil if it has not decoded it.
func (s *store) kept(e *entry) runtime.Object {
	if !s.decodes {
		return e.object
	}
	e.views.mu.Lock()
	defer e.views.mu.Unlock()
	return e.views.objects[s]
}

// decode returns an object that belongs to the caller unless the Store keeps it in the entry.
func (s *store) decode(e *entry) (runtime.Object, error) {
	switch {
	case s.decodes:
	case e.object != nil:
		return e.object, nil
	default:
		s = e.writer
	}
	object, err := runtime.Decode(s.codec, e.data)
	if err != nil {
		return nil, err
	}
	stamp(object, e.revision)
	return object, nil
}

// decoded is the object of an entry, nil for none, as this Store reads it. It is shared.
func (s *store) decoded(e *entry) (runtime.Object, error) {
	if e == nil {
		return nil, nil
	}
	if object := s.kept(e); object != nil {
		return object, nil
	}
	object, err := s.decode(e)
	if err == nil && s.decodes {
		s.keep(e, object)
	}
	return object, err
}

// queued is what waits in a watch: an event, or something to make one of when it is taken.
type queued struct {
	event watch.Event
	// initial is an object that was there when the watch was opened, and record a commit; at most one of them is set.
	initial *entry
	record  *record
}

// revision is that of the event.
func (p queued) revision() uint64 {
	switch {
	case p.initial != nil:
		return p.initial.revision
	case p.record != nil:
		return p.record.Revision
	}
	revision, err := versioner.ObjectResourceVersion(p.event.Object)
	if err != nil {
		return 0
	}
	return revision
}

// resolve makes the event; ok is false if the watch does not select it. It may take virtual time.
func (w *watcher) resolve(p queued) (event watch.Event, ok bool, err error) {
	switch {
	case p.initial != nil:
		object, ok, err := w.matching(p.initial)
		return watch.Event{Type: watch.Added, Object: object}, ok, err
	case p.record != nil:
		return w.see(p.record)
	}
	return p.event, true, nil
}

// failed ends a watch with an event that cannot be made, as upstream's etcd3 store does.
func (w *watcher) failed(err error) watch.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended, w.queue = true, nil
	status, ok := err.(apierrors.APIStatus)
	if !ok {
		status = apierrors.NewInternalError(err)
	}
	out := status.Status()
	out.Kind, out.APIVersion = "Status", "v1"
	if out.Code == 0 {
		out.Code, out.Reason = http.StatusInternalServerError, metav1.StatusReasonInternalError
	}
	return watch.Event{Type: watch.Error, Object: &out}
}
