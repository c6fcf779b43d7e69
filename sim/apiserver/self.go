package apiserver

import (
	"fmt"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/openapi"
	restclient "k8s.io/client-go/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// selfDiscovery is what registries learn of the server that they are part of: which resource has which kind.
type selfDiscovery struct {
	discovery.DiscoveryInterface
	server *Server
}

// ServerResourcesForGroupVersion implements discovery.ServerResourcesInterface.
func (d selfDiscovery) ServerResourcesForGroupVersion(groupVersion string) (*metav1.APIResourceList, error) {
	gv, err := schema.ParseGroupVersion(groupVersion)
	if err != nil {
		return nil, err
	}
	list := &metav1.APIResourceList{GroupVersion: groupVersion}
	for _, r := range d.server.resources {
		if r.GroupVersion() == gv && r.Subresource == "" {
			list.APIResources = append(list.APIResources, metav1.APIResource{
				Name: r.Resource, SingularName: r.Singular, Namespaced: r.Namespaced, Kind: r.Kind.Kind,
			})
		}
	}
	if len(list.APIResources) == 0 {
		return nil, apierrors.NewNotFound(schema.GroupResource{Group: gv.Group}, groupVersion)
	}
	return list, nil
}

// openAPI returns a client of the server's own OpenAPI documents.
func (s *Server) openAPI() openapi.Client {
	client, err := discovery.NewDiscoveryClientForConfigAndClient(
		&restclient.Config{Host: "http://" + externalAddress}, &http.Client{Transport: selfDocuments{s}})
	if err != nil {
		panic(fmt.Sprintf("apiserver: a client of its own: %v", err))
	}
	return client.OpenAPIV3()
}

// selfDocuments implements http.RoundTripper for documents.
type selfDocuments struct{ server *Server }

// RoundTrip implements http.RoundTripper.
func (d selfDocuments) RoundTrip(r *http.Request) (*http.Response, error) {
	front, err := d.server.HTTP()
	if err != nil {
		return nil, err
	}
	return front.Document(r), nil
}

// stored is the store as the server's own caches see it. It implements storecache.Store.
type stored struct{ server *Server }

func (s stored) ResourceOf(kind schema.GroupVersionKind) (schema.GroupVersionResource, bool) {
	for _, r := range s.server.resources {
		if r.Subresource == "" && r.Kind == kind {
			return r.GroupVersionResource, true
		}
	}
	return schema.GroupVersionResource{}, false
}

func (s stored) Serves(resource schema.GroupVersionResource) bool {
	_, served := s.server.paths[resourcePath{GroupVersionResource: resource}]
	return served
}

func (s stored) Stored(resource schema.GroupResource) []runtime.Object {
	var found []runtime.Object
	preferred, served := s.server.versions[resource]
	for _, object := range s.server.current {
		if kinds, _, err := legacyscheme.Scheme.ObjectKinds(object); served && err == nil && kinds[0] == preferred.Kind {
			found = append(found, object)
		}
	}
	return found
}

func (s stored) In(version schema.GroupVersion, object runtime.Object) runtime.Object {
	kinds, _, err := legacyscheme.Scheme.ObjectKinds(object)
	if err == nil && kinds[0].GroupVersion() == version {
		return object
	}
	return mustVersion(object, version)
}
