package expr

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace"
)

// world is a World made by hand.
type world struct {
	now     time.Duration
	objects map[schema.GroupResource]map[string]runtime.Object
	sorted  map[schema.GroupResource][]runtime.Object
	records []*trace.Record
}

func newWorld() *world {
	return &world{
		objects: map[schema.GroupResource]map[string]runtime.Object{},
		sorted:  map[schema.GroupResource][]runtime.Object{},
	}
}

func (w *world) Now() time.Duration { return w.now }

func (w *world) Records() []*trace.Record { return w.records }

func (w *world) Get(resource schema.GroupResource, namespace, name string) (runtime.Object, bool) {
	obj, ok := w.objects[resource][namespace+"/"+name]
	return obj, ok
}

func (w *world) List(resource schema.GroupResource, namespace string) []runtime.Object {
	var objects []runtime.Object
	for _, obj := range w.sorted[resource] {
		if accessor, _ := meta.Accessor(obj); namespace == "" || accessor.GetNamespace() == namespace {
			objects = append(objects, obj)
		}
	}
	return objects
}

// put adds or replaces an object.
func (w *world) put(obj runtime.Object) error {
	gvk := obj.GetObjectKind().GroupVersionKind()
	if known, _, err := scheme.Scheme.ObjectKinds(obj); err == nil {
		gvk = known[0]
	}
	k := testKinds.Serving(gvk)
	if k == nil {
		return fmt.Errorf("no kind for %T", obj)
	}
	accessor, err := meta.Accessor(obj)
	if err != nil {
		return err
	}
	if k.Namespaced && accessor.GetNamespace() == "" {
		accessor.SetNamespace(defaultNamespace)
	}
	if _, ok := obj.(*unstructured.Unstructured); !ok {
		obj.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	}
	resource := k.GroupResource()
	if w.objects[resource] == nil {
		w.objects[resource] = map[string]runtime.Object{}
	}
	w.objects[resource][accessor.GetNamespace()+"/"+accessor.GetName()] = obj
	w.sort(resource)
	return nil
}

func (w *world) sort(resource schema.GroupResource) {
	keys := make([]string, 0, len(w.objects[resource]))
	for key := range w.objects[resource] {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	w.sorted[resource] = nil
	for _, key := range keys {
		w.sorted[resource] = append(w.sorted[resource], w.objects[resource][key])
	}
}

// apply adds the objects of a YAML stream.
func (w *world) apply(manifests string) (int, error) {
	count := 0
	reader := yaml.NewYAMLReader(bufio.NewReader(strings.NewReader(manifests)))
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return count, nil
		}
		if err != nil {
			return count, err
		}
		if len(bytes.TrimSpace(document)) == 0 {
			continue
		}
		obj, _, err := scheme.Codecs.UniversalDeserializer().Decode(document, nil, nil)
		if runtime.IsNotRegisteredError(err) {
			custom := &unstructured.Unstructured{}
			obj, err = custom, yaml.Unmarshal(document, &custom.Object)
		}
		if err != nil {
			return count, err
		}
		if err := w.put(obj); err != nil {
			return count, err
		}
		count++
	}
}

// record adds records from lines of JSON. at may be written as a duration.
func (w *world) record(lines string) error {
	for _, line := range strings.Split(strings.TrimSpace(lines), "\n") {
		r := &trace.Record{Seq: int64(len(w.records) + 1)}
		if err := json.Unmarshal([]byte(line), r); err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
		w.records = append(w.records, r)
	}
	return nil
}

// testKinds has kinds without a Go type beside the built-in ones. Only the first has a name that a function can have.
var testKinds = kinds.BuiltIn().With(kinds.Kind{
	Group: "example.com", Versions: []string{"v1"}, Kind: "Widget", Resource: "widgets", Singular: "widget", ShortNames: []string{"wg"},
	Namespaced: true,
}, kinds.Kind{
	Group: "example.com", Versions: []string{"v1"}, Kind: "Duration", Resource: "durations", Singular: "duration",
}, kinds.Kind{
	Group: "example.com", Versions: []string{"v1"}, Kind: "Package", Resource: "packages", Singular: "package",
}, kinds.Kind{
	Group: "example.com", Versions: []string{"v1"}, Kind: "SpareWheel", Resource: "spare-wheels", Singular: "spare-wheel",
})

func testEnv(t testing.TB) *Env {
	t.Helper()
	env, err := newEnv(testKinds) // tests change its bounds
	if err != nil {
		t.Fatal(err)
	}
	return env
}

func mustCompile(t testing.TB, env *Env, text string) *Condition {
	t.Helper()
	c, err := env.Compile(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return c
}
