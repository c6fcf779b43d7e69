package apiserver_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// TestRestoreEveryResource puts an object of each kind into the store as it is: with its uid, its time, and a
// generation that no strategy would give. A second one of that name is refused.
func TestRestoreEveryResource(t *testing.T) {
	for _, r := range newServer(t).Resources() {
		if r.Subresource != "" || r.Resource == "bindings" || strings.HasSuffix(r.Resource, "reviews") {
			continue
		}
		t.Run(r.GroupVersionResource.String(), func(t *testing.T) {
			server := newServer(t) // events are served by two groups, and are in one store
			object := minimalObject(t, r)
			accessor, err := meta.Accessor(object)
			if err != nil {
				t.Fatal(err)
			}
			accessor.SetUID("11111111-2222-4333-8444-555555555555")
			accessor.SetGeneration(7)
			req := apiserver.Request{Resource: r.GroupVersionResource, Name: "a", Object: object}
			if r.Namespaced {
				req.Namespace = metav1.NamespaceDefault
				accessor.SetNamespace(req.Namespace)
			}
			if err := server.Restore(req); err != nil {
				t.Fatal(err)
			}
			got, err := server.Do(apiserver.Request{Verb: "get", Resource: req.Resource, Namespace: req.Namespace, Name: req.Name})
			if err != nil {
				t.Fatal(err)
			}
			restored, err := meta.Accessor(got)
			if err != nil {
				t.Fatal(err)
			}
			if restored.GetUID() != accessor.GetUID() || restored.GetGeneration() != 7 || restored.GetResourceVersion() == "" {
				t.Errorf("restored %v", got)
			}
			if err := server.Restore(req); err == nil || !strings.HasSuffix(err.Error(), `"a" is there already`) {
				t.Errorf("a second time: %v", err)
			}
		})
	}
}

func newServer(t *testing.T) *apiserver.Server {
	t.Helper()
	server, err := apiserver.New(nil, apiserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return server
}
