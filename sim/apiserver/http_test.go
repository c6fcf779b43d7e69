package apiserver_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// TestServerSideApply goes from a typed client through upstream's handlers: a field that its manager no
// longer applies goes, that of another manager stays, and taking one is a conflict.
func TestServerSideApply(t *testing.T) {
	server, err := apiserver.New(nil, apiserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	maps := apiserver.NewClientset(&wire{server: server}, nil).CoreV1().ConfigMaps("default")
	apply := func(manager string, data map[string]string) (*corev1.ConfigMap, error) {
		return maps.Apply(context.Background(), applycorev1.ConfigMap("a", "default").WithData(data),
			metav1.ApplyOptions{FieldManager: manager})
	}
	for _, step := range []struct {
		manager string
		data    map[string]string
	}{
		{"one", map[string]string{"x": "1", "y": "1"}},
		{"two", map[string]string{"z": "2"}},
		{"one", map[string]string{"x": "1"}},
	} {
		if _, err := apply(step.manager, step.data); err != nil {
			t.Fatal(err)
		}
	}
	got, err := maps.Get(context.Background(), "a", metav1.GetOptions{})
	if err != nil || len(got.Data) != 2 || got.Data["x"] != "1" || got.Data["z"] != "2" {
		t.Errorf("applied %v, %v; want x and z", got.Data, err)
	}
	if _, err := apply("two", map[string]string{"x": "2"}); !apierrors.IsConflict(err) {
		t.Errorf("taking another manager's field: %v", err)
	}
}

// TestParse takes requests apart as the handlers' router does.
func TestParse(t *testing.T) {
	server, err := apiserver.New(nil, apiserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	front, err := server.HTTP()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ method, url, want string }{
		{"GET", "/api/v1/namespaces/default/pods/a", "get pods default/a"},
		{"GET", "/api/v1/pods?fieldSelector=metadata.name%3Da", "list pods /"},
		{"GET", "/api/v1/namespaces/default/pods?watch=true&timeoutSeconds=300", "watch pods default/"},
		{"PUT", "/apis/apps/v1/namespaces/default/deployments/web/scale", "update deployments/scale default/web"},
		{"DELETE", "/apis/batch/v1/namespaces/default/jobs", "deletecollection jobs default/"},
		{"GET", "/api/v1/namespaces/shop", "get namespaces /shop"},
		{"PUT", "/api/v1/namespaces/shop/finalize", "update namespaces/finalize /shop"},
		{"GET", "/apis/apps/v1", "document"},
		{"GET", "/openapi/v3", "document"},
		{"GET", "/version", "document"},
	} {
		request, err := http.NewRequest(test.method, "http://server"+test.url, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		w, ok, err := front.Parse(request, "user")
		got := "document"
		if ok {
			got = w.Verb + " " + w.Path() + " " + w.Namespace + "/" + w.Name
		}
		if err != nil || got != test.want {
			t.Errorf("%s %s is %s, %v; want %s", test.method, test.url, got, err, test.want)
		}
	}
}

// TestOpenAPI reads both versions of the description of the API.
func TestOpenAPI(t *testing.T) {
	server, err := apiserver.New(nil, apiserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	front, err := server.HTTP()
	if err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]string{
		"/openapi/v2":              "io.k8s.api.apps.v1.Deployment",
		"/openapi/v3/apis/apps/v1": "io.k8s.api.apps.v1.Deployment",
	} {
		request, err := http.NewRequest(http.MethodGet, "http://server"+url, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept", "application/json")
		response := front.Document(request)
		body, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode != http.StatusOK || !strings.Contains(string(body), want) {
			t.Errorf("%s: %d, %v, %d bytes", url, response.StatusCode, err, len(body))
		}
	}
}

// TestOddRequestsChangeNoDocument: whatever other requests come for the address of a document, those that ask for it get it.
func TestOddRequestsChangeNoDocument(t *testing.T) {
	server, err := apiserver.New(nil, apiserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	front, err := server.HTTP()
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete, http.MethodGet} {
		request, err := http.NewRequest(method, "http://server/apis/apps/v1", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept", "application/json")
		if code := front.Document(request).StatusCode; (code == http.StatusOK) != (method == http.MethodGet) {
			t.Errorf("%s: %d", method, code)
		}
	}
}
