package prototype

import (
	"errors"
	"fmt"
	"strconv"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
)

var quarter = intstr.FromString("25%")

// world is the fake clientset, with what an API server adds to objects and the controllers depend on: names from prefixes, uids,
// resourceVersions and generations.
type world struct {
	clientset *fake.Clientset

	mu      sync.Mutex
	writes  int
	watches map[schema.GroupVersionResource][]chan watch.Event
	// room is how many events may wait in a watch. The tracker's own watches have room for a hundred, and panic when the
	// ReplicaSet controller creates five hundred Pods at once.
	room int
}

func newWorld(replicas int) *world {
	const eventsOfPod, others = 10, 1000
	w := &world{
		clientset: fake.NewSimpleClientset(), watches: map[schema.GroupVersionResource][]chan watch.Event{},
		room: eventsOfPod*replicas + others,
	}
	for _, verb := range []string{"create", "update", "delete"} {
		w.clientset.PrependReactor(verb, "*", w.write)
	}
	w.clientset.PrependWatchReactor("*", w.watch)
	return w
}

// write makes a write through the tracker, and shows it to the watches.
func (w *world) write(action clienttesting.Action) (handled bool, object runtime.Object, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writes++
	resource, tracker := action.GetResource(), w.clientset.Tracker()
	event := watch.Modified
	switch action := action.(type) {
	case clienttesting.UpdateActionImpl:
		object = action.GetObject()
		err = w.stamp(object, resource, action)
		if err == nil {
			err = tracker.Update(resource, object, action.GetNamespace())
		}
	case clienttesting.CreateActionImpl:
		event, object = watch.Added, action.GetObject()
		err = w.stamp(object, resource, action)
		if err == nil {
			err = tracker.Create(resource, object, action.GetNamespace())
		}
	case clienttesting.DeleteActionImpl:
		event = watch.Deleted
		if object, err = tracker.Get(resource, action.GetNamespace(), action.GetName()); err == nil {
			// A deletion has a resourceVersion of its own, too: the ReplicaSet controller waits until it has read what it wrote.
			err = errors.Join(w.stampVersion(object), tracker.Delete(resource, action.GetNamespace(), action.GetName()))
		}
	default:
		return true, nil, fmt.Errorf("the prototype has no %T", action)
	}
	if err != nil {
		return true, nil, err
	}
	for _, events := range w.watches[resource] {
		events <- watch.Event{Type: event, Object: object.DeepCopyObject()}
	}
	return true, object.DeepCopyObject(), nil
}

// stamp sets the metadata that an API server sets.
func (w *world) stamp(object runtime.Object, resource schema.GroupVersionResource, action clienttesting.Action) error {
	accessor, err := meta.Accessor(object)
	if err != nil {
		return err
	}
	if err := w.stampVersion(object); err != nil {
		return err
	}
	number := accessor.GetResourceVersion()
	accessor.SetNamespace(action.GetNamespace())
	if accessor.GetUID() == "" {
		accessor.SetUID(types.UID("uid-" + number))
		accessor.SetCreationTimestamp(metav1.Now())
		accessor.SetGeneration(1)
		if accessor.GetName() == "" {
			accessor.SetName(accessor.GetGenerateName() + number)
		}
		return nil
	}
	if action.GetSubresource() != "" {
		return nil
	}
	stored, err := w.clientset.Tracker().Get(resource, accessor.GetNamespace(), accessor.GetName())
	if err != nil {
		return err
	}
	if !equality.Semantic.DeepEqual(specOf(stored), specOf(object)) {
		accessor.SetGeneration(accessor.GetGeneration() + 1)
	}
	return nil
}

// stampVersion gives an object the resourceVersion of this write.
func (w *world) stampVersion(object runtime.Object) error {
	accessor, err := meta.Accessor(object)
	if err == nil {
		accessor.SetResourceVersion(strconv.Itoa(w.writes))
	}
	return err
}

// specOf is the spec of an object with a generation; nil for others.
func specOf(object runtime.Object) any {
	switch object := object.(type) {
	case *appsv1.Deployment:
		return object.Spec
	case *appsv1.ReplicaSet:
		return object.Spec
	}
	return nil
}

// watch opens a watch with enough room.
func (w *world) watch(action clienttesting.Action) (handled bool, opened watch.Interface, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	events := make(chan watch.Event, w.room)
	w.watches[action.GetResource()] = append(w.watches[action.GetResource()], events)
	return true, watch.NewProxyWatcher(events), nil
}
