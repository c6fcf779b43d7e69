package simtest

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientscheme "k8s.io/client-go/kubernetes/scheme"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/extensions"
	"github.com/kubestep/kubestep/sim/kinds"
)

// stored are the requests that put objects into the store.
func stored(objects []runtime.Object) ([]apiserver.Request, error) {
	custom, err := defined(objects)
	if err != nil {
		return nil, err
	}
	var requests []apiserver.Request
	for n, object := range objects {
		accessor, err := meta.Accessor(object)
		if err != nil {
			return nil, fmt.Errorf("object %d: %w", n, err)
		}
		gvk, err := kindOf(object)
		if err != nil {
			return nil, fmt.Errorf("object %s: %w", accessor.GetName(), err)
		}
		request := apiserver.Request{Namespace: accessor.GetNamespace(), Name: accessor.GetName(), Object: object}
		if gvk.GroupKind() == extensions.DefinitionKind.GroupKind() {
			request.Resource = extensions.Definitions
			if request.Object, err = asUnstructured(object, gvk); err != nil {
				return nil, err
			}
		} else if resource, ok := custom[gvk.GroupKind()]; ok {
			request.Resource = resource.WithVersion(gvk.Version)
			if request.Object, err = asUnstructured(object, gvk); err != nil {
				return nil, err
			}
		} else if kind := kinds.BuiltIn().Serving(gvk); kind != nil {
			request.Resource = kind.GroupVersionResource()
		} else {
			return nil, fmt.Errorf("object %s: unknown kind %s: want one of Kubernetes, or its definition among the objects",
				accessor.GetName(), gvk)
		}
		requests = append(requests, request)
	}
	return requests, nil
}

// defined are the resources of the kinds that the definitions among objects define.
func defined(objects []runtime.Object) (map[schema.GroupKind]schema.GroupResource, error) {
	found := map[schema.GroupKind]schema.GroupResource{}
	for _, object := range objects {
		gvk, err := kindOf(object)
		if err != nil || gvk.GroupKind() != extensions.DefinitionKind.GroupKind() {
			continue
		}
		text, err := asUnstructured(object, gvk)
		if err != nil {
			return nil, err
		}
		resource := schema.ParseGroupResource(text.GetName())
		kind, _, _ := unstructured.NestedString(text.Object, "spec", "names", "kind")
		found[schema.GroupKind{Group: resource.Group, Kind: kind}] = resource
	}
	return found, nil
}

// kindOf is what an object says that it is, or what Go's type is in client-go.
func kindOf(object runtime.Object) (schema.GroupVersionKind, error) {
	if gvk := object.GetObjectKind().GroupVersionKind(); !gvk.Empty() {
		return gvk, nil
	}
	found, _, err := clientscheme.Scheme.ObjectKinds(object)
	if err != nil {
		return schema.GroupVersionKind{}, fmt.Errorf("its kind is unknown: set apiVersion and kind")
	}
	return found[0], nil
}

// asUnstructured is the form in which the store has what is not of Kubernetes itself.
func asUnstructured(object runtime.Object, gvk schema.GroupVersionKind) (*unstructured.Unstructured, error) {
	if as, ok := object.(*unstructured.Unstructured); ok {
		return as, nil
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil, err
	}
	as := &unstructured.Unstructured{Object: fields}
	as.SetGroupVersionKind(gvk)
	return as, nil
}
