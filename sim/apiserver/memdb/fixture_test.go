package memdb

import (
	"context"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
)

// world is a DB with the stores of two resources, encoded as kube-apiserver encodes them.
type world struct {
	t    testing.TB
	ctx  context.Context
	db   *DB
	pods storage.Interface
	maps storage.Interface
}

func newWorld(t testing.TB, options Options) *world {
	t.Helper()
	w := &world{t: t, ctx: t.Context(), db: New(options)}
	w.pods = w.store("pods",
		func() runtime.Object { return &core.Pod{} },
		func() runtime.Object { return &core.PodList{} })
	w.maps = w.store("configmaps",
		func() runtime.Object { return &core.ConfigMap{} },
		func() runtime.Object { return &core.ConfigMapList{} })
	return w
}

func (w *world) store(
	resource string, newFunc, newListFunc func() runtime.Object,
) storage.Interface {
	w.t.Helper()
	factory := serverstorage.NewDefaultStorageFactory(
		storagebackend.Config{Prefix: "/registry"},
		"application/vnd.kubernetes.protobuf",
		legacyscheme.Codecs,
		serverstorage.NewDefaultResourceEncodingConfig(legacyscheme.Scheme),
		serverstorage.NewResourceConfig(),
		nil)
	config, err := factory.NewConfig(schema.GroupResource{Resource: resource}, newFunc())
	if err != nil {
		w.t.Fatal(err)
	}
	// kube-apiserver's registries pass the prefix without a slash at its end.
	s, destroy, err := w.db.Decorator(
		config, "/"+resource, nil, newFunc, newListFunc, nil, nil, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(destroy)
	return s
}

func key(name string) string { return "/pods/default/" + name }

// pod returns a pod with defaults applied, as it is when kube-apiserver stores it.
func pod(name string, labels ...string) *core.Pod {
	external := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: "default", Name: name, UID: types.UID("uid-" + name),
	}}
	legacyscheme.Scheme.Default(external)
	p := &core.Pod{}
	if err := legacyscheme.Scheme.Convert(external, p, nil); err != nil {
		panic(err)
	}
	setLabels(p, labels...)
	return p
}

// setLabels replaces the labels by pairs of key and value.
func setLabels(p *core.Pod, labels ...string) {
	p.Labels = nil
	for i := 0; i < len(labels); i += 2 {
		metav1.SetMetaDataLabel(&p.ObjectMeta, labels[i], labels[i+1])
	}
}

// create stores a pod and returns what the store gave back.
func (w *world) create(name string, labels ...string) *core.Pod {
	w.t.Helper()
	return w.createTTL(name, 0, labels...)
}

func (w *world) createTTL(name string, ttl uint64, labels ...string) *core.Pod {
	w.t.Helper()
	out := &core.Pod{}
	if err := w.pods.Create(w.ctx, key(name), pod(name, labels...), out, ttl); err != nil {
		w.t.Fatal(err)
	}
	return out
}

// update changes a pod and returns what the store gave back.
func (w *world) update(name string, change func(*core.Pod)) *core.Pod {
	w.t.Helper()
	out := &core.Pod{}
	err := w.pods.GuaranteedUpdate(w.ctx, key(name), out, false, nil,
		func(in runtime.Object, _ storage.ResponseMeta) (runtime.Object, *uint64, error) {
			change(in.(*core.Pod))
			return in, nil, nil
		}, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// relabel replaces a pod's labels.
func (w *world) relabel(name string, labels ...string) *core.Pod {
	w.t.Helper()
	return w.update(name, func(p *core.Pod) { setLabels(p, labels...) })
}

func (w *world) delete(name string) *core.Pod {
	w.t.Helper()
	out := &core.Pod{}
	err := w.pods.Delete(w.ctx, key(name), out, nil, storage.ValidateAllObjectFunc, nil,
		storage.DeleteOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

func (w *world) list(key string, opts storage.ListOptions) (*core.PodList, error) {
	out := &core.PodList{}
	err := w.pods.GetList(w.ctx, key, opts, out)
	return out, err
}

// watch opens a watch of all pods from a resourceVersion.
func (w *world) watch(resourceVersion string) *watcher {
	w.t.Helper()
	return w.watchWith("/pods/", storage.ListOptions{
		ResourceVersion: resourceVersion, Predicate: storage.Everything, Recursive: true,
	})
}

func (w *world) watchWith(key string, opts storage.ListOptions) *watcher {
	w.t.Helper()
	opened, err := w.pods.Watch(w.ctx, key, opts)
	if err != nil {
		w.t.Fatal(err)
	}
	return opened.(*watcher)
}

// pending takes all pending events of a watch, as text.
func pending(w *watcher) []string {
	var events []string
	for {
		event, ok := w.Next()
		if !ok {
			return events
		}
		events = append(events, eventText(event))
	}
}

// eventText writes an event as "TYPE name@resourceVersion", an error as "ERROR code message".
func eventText(event watch.Event) string {
	switch object := event.Object.(type) {
	case *metav1.Status:
		return fmt.Sprintf("%s %d %s", event.Type, object.Code, object.Message)
	case *core.Pod:
		text := fmt.Sprintf("%s %s@%s", event.Type, object.Name, object.ResourceVersion)
		if object.Annotations[metav1.InitialEventsAnnotationKey] == "true" {
			text += " end of initial events"
		}
		return text
	}
	return fmt.Sprintf("%s %T", event.Type, event.Object)
}

// podsText writes the items of a list as "name@resourceVersion".
func podsText(list *core.PodList) []string {
	texts := []string{}
	for _, p := range list.Items {
		texts = append(texts, p.Name+"@"+p.ResourceVersion)
	}
	return texts
}
