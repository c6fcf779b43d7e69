package apiserver_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// TestRestoreEveryResource puts an object of each kind into the store as it is: with its uid, its time, and a
// generation that no strategy would give. A second one of that name is refused.
func TestRestoreEveryResource(t *testing.T) {
	for _, r := range newServer(t).Resources() {
		if !isStored(r) {
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

// TestRestoredObjectsKeepTheirRevisions restores what another store had, in the order in which it was written.
func TestRestoredObjectsKeepTheirRevisions(t *testing.T) {
	server := newServer(t)
	resource := corev1.SchemeGroupVersion.WithResource("configmaps")
	for _, test := range []struct{ name, has, gets string }{
		{"a", "17", "17"}, {"b", "23", "23"}, {"without", "", "24"}, {"too-late", "20", "25"},
	} {
		object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: test.name, Namespace: "default", ResourceVersion: test.has}}
		req := apiserver.Request{Resource: resource, Namespace: "default", Name: test.name, Object: object}
		if err := server.Restore(req); err != nil {
			t.Fatal(err)
		}
		req.Verb, req.Object = "get", nil
		got, err := server.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if revision := got.(*corev1.ConfigMap).ResourceVersion; revision != test.gets {
			t.Errorf("%s with resourceVersion %q: %s, want %s", test.name, test.has, revision, test.gets)
		}
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

// TestRestoredServiceKeepsWhatItHas restores a Service; nothing gets its address or its port again.
func TestRestoredServiceKeepsWhatItHas(t *testing.T) {
	server := newServer(t)
	client := apiserver.NewClientset(&wire{server: server}, nil)
	cidr := &networkingv1.ServiceCIDR{
		ObjectMeta: metav1.ObjectMeta{Name: "kubernetes"}, Spec: networkingv1.ServiceCIDRSpec{CIDRs: []string{"10.96.0.0/28"}},
	}
	if _, err := client.NetworkingV1().ServiceCIDRs().Create(background, cidr, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	service := func(name string, spec corev1.ServiceSpec) *corev1.Service {
		return &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"}, Spec: spec}
	}
	ports := []corev1.ServicePort{{Port: 80, NodePort: 30080}}
	restored := service("old", corev1.ServiceSpec{
		Type: corev1.ServiceTypeNodePort, ClusterIP: "10.96.0.5", ClusterIPs: []string{"10.96.0.5", "fd00::5"}, Ports: ports,
	})
	if err := server.Restore(apiserver.Request{
		Resource: serviceResource, Namespace: "default", Name: "old", Object: restored,
	}); err != nil {
		t.Fatal(err)
	}
	address, err := client.NetworkingV1().IPAddresses().Get(background, "10.96.0.5", metav1.GetOptions{})
	if err != nil || address.Spec.ParentRef.Name != "old" {
		t.Errorf("IPAddress %v, %v", address, err)
	}
	for _, taken := range []corev1.ServiceSpec{
		{ClusterIP: "10.96.0.5", Ports: []corev1.ServicePort{{Port: 80}}},
		{Type: corev1.ServiceTypeNodePort, Ports: ports},
	} {
		_, err := client.CoreV1().Services("default").Create(background, service("new", taken), metav1.CreateOptions{})
		if err == nil || !strings.Contains(err.Error(), "already allocated") {
			t.Errorf("a Service with the address or port of another: %v", err)
		}
	}
}
