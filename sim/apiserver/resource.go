package apiserver

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
)

// Resource is one path of the API: a resource, or a subresource of one.
type Resource struct {
	schema.GroupVersionResource
	Subresource string
	// Kind is what the path accepts and returns; for deployments/scale it is autoscaling/v1 Scale.
	Kind       schema.GroupVersionKind
	Namespaced bool
	Singular   string
	ShortNames []string

	storage   rest.Storage
	admission *admissionControl
	server    *Server
}

func (r *Resource) less(other *Resource) bool {
	if r.Group != other.Group {
		return r.Group < other.Group
	}
	if r.GroupVersionResource != other.GroupVersionResource {
		return r.GroupVersionResource.String() < other.GroupVersionResource.String()
	}
	return r.Subresource < other.Subresource
}

// resourcePath finds a storage: a versioned resource and the subresource or "".
type resourcePath struct {
	schema.GroupVersionResource
	subresource string
}
