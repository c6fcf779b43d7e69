package admissionpolicy

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

// paramReader is the dynamic client of upstream's policies. Since 1.37, they read a param that their cache does not have once more, since
// the cache may be behind (getParamDirectly in plugin/policy/generic/policy_dispatcher.go). Here it never is: there is no such param.
type paramReader struct{ dynamic.Interface }

// Resource implements dynamic.Interface.
func (r paramReader) Resource(resource schema.GroupVersionResource) dynamic.NamespaceableResourceInterface {
	return params{r.Interface.Resource(resource), resource.GroupResource()}
}

// params are the objects of a resource.
type params struct {
	dynamic.NamespaceableResourceInterface
	of schema.GroupResource
}

// Namespace implements dynamic.NamespaceableResourceInterface.
func (p params) Namespace(namespace string) dynamic.ResourceInterface {
	return paramsIn{p.NamespaceableResourceInterface.Namespace(namespace), p.of}
}

// Get implements dynamic.ResourceInterface.
func (p params) Get(_ context.Context, name string, _ metav1.GetOptions, _ ...string) (*unstructured.Unstructured, error) {
	return nil, apierrors.NewNotFound(p.of, name)
}

// paramsIn are those in a namespace.
type paramsIn struct {
	dynamic.ResourceInterface
	of schema.GroupResource
}

// Get implements dynamic.ResourceInterface.
func (p paramsIn) Get(_ context.Context, name string, _ metav1.GetOptions, _ ...string) (*unstructured.Unstructured, error) {
	return nil, apierrors.NewNotFound(p.of, name)
}
