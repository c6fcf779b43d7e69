package storecache_test

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
	_ "k8s.io/kubernetes/pkg/apis/core/install"

	"github.com/kubestep/kubestep/sim/apiserver/internal/storecache"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
)

var configMaps = corev1.SchemeGroupVersion.WithResource("configmaps")

// store has ConfigMaps only.
type store []runtime.Object

func (store) ResourceOf(kind schema.GroupVersionKind) (schema.GroupVersionResource, bool) {
	return configMaps, kind == corev1.SchemeGroupVersion.WithKind("ConfigMap")
}
func (store) Serves(resource schema.GroupVersionResource) bool               { return resource == configMaps }
func (s store) Stored(schema.GroupResource) []runtime.Object                 { return s }
func (store) In(_ schema.GroupVersion, object runtime.Object) runtime.Object { return object }

func configMap(name, data string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}, Data: map[string]string{"key": data}}
}

// TestFactory changes a store under a cache. The cache begins with what is stored, follows each write in the same call,
// lists by name, and calls the handlers; one that comes later is told of what is there.
func TestFactory(t *testing.T) {
	factory := storecache.New(store{configMap("c", "1"), configMap("a", "1")})
	informer := factory.Core().V1().ConfigMaps()
	var calls []string
	handler := func(name string) cache.ResourceEventHandlerFuncs {
		describe := func(verb string, objects ...any) {
			text := name + " " + verb
			for _, object := range objects {
				text += " " + object.(*corev1.ConfigMap).Name + object.(*corev1.ConfigMap).Data["key"]
			}
			calls = append(calls, text)
		}
		return cache.ResourceEventHandlerFuncs{
			AddFunc:    func(object any) { describe("add", object) },
			UpdateFunc: func(before, after any) { describe("update", before, after) },
			DeleteFunc: func(object any) { describe("delete", object) },
		}
	}
	if _, err := informer.Informer().AddEventHandler(handler("first")); err != nil {
		t.Fatal(err)
	}
	of := configMaps.GroupResource()
	factory.Apply(memdb.OpCreate, of, configMap("b", "1"), nil)
	factory.Apply(memdb.OpUpdate, of, configMap("a", "2"), configMap("a", "1"))
	factory.Apply(memdb.OpDelete, of, configMap("c", "1"), configMap("c", "1"))
	factory.Apply(memdb.OpCreate, schema.GroupResource{Resource: "pods"}, &corev1.Pod{}, nil)
	if _, err := informer.Informer().AddEventHandler(handler("second")); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"first add a1", "first add c1", "first add b1", "first update a1 a2", "first delete c1", "second add a2", "second add b1",
	}
	if !slices.Equal(calls, want) {
		t.Errorf("calls:\n%s\nwant:\n%s", strings.Join(calls, "\n"), strings.Join(want, "\n"))
	}
	listed, err := informer.Lister().ConfigMaps("default").List(labels.Everything())
	if err != nil || len(listed) != 2 || listed[0].Name != "a" || listed[1].Name != "b" {
		t.Errorf("the list has %v, %v", listed, err)
	}
}

// TestKindsThatAreNotServed have an empty cache by type, and none by name.
func TestKindsThatAreNotServed(t *testing.T) {
	factory := storecache.New(store{})
	pods, err := factory.Core().V1().Pods().Lister().List(labels.Everything())
	if err != nil || len(pods) > 0 {
		t.Errorf("the list has %v, %v", pods, err)
	}
	if _, err := factory.ForResource(corev1.SchemeGroupVersion.WithResource("pods")); err == nil {
		t.Error("there is a cache of Pods")
	}
}
