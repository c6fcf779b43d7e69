package apiserver

import (
	"fmt"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// maxBodyBytes is how long a request may be (MaxRequestBodyBytes of k8s.io/apiserver/pkg/server.NewConfig).
const maxBodyBytes = 3 << 20

func tooLarge() error {
	return apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("limit is %d", maxBodyBytes))
}

// bodyOf copies, defaults and converts the body of a request, as the codec of an HTTP handler does.
// Upstream's strategies cast what they get without looking, so a body of the wrong kind must not reach
// them.
func bodyOf(resource *Resource, req Request) (runtime.Object, error) {
	if req.Object == nil {
		return nil, apierrors.NewBadRequest("the request has no body")
	}
	if sized, ok := req.Object.(interface{ Size() int }); ok && sized.Size() > maxBodyBytes {
		return nil, tooLarge()
	}
	kinds, _, err := legacyscheme.Scheme.ObjectKinds(req.Object)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	obj := req.Object.DeepCopyObject()
	parseQuantities(reflect.ValueOf(obj))
	legacyscheme.Scheme.Default(obj)
	out, err := legacyscheme.Scheme.UnsafeConvertToVersion(obj, runtime.InternalGroupVersioner)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	have, want := reflect.TypeOf(out).Elem(), reflect.TypeOf(resource.storage.New()).Elem()
	if have != want {
		return nil, apierrors.NewBadRequest(fmt.Sprintf(
			"%s in version %q cannot be handled as a %s: converting (%s) to (%s): unknown conversion",
			kinds[0].Kind, kinds[0].Version, resource.Kind.Kind, reflect.TypeOf(req.Object).Elem(), want))
	}
	if version := kinds[0].GroupVersion(); !resource.accepts(version) {
		return nil, apierrors.NewBadRequest(fmt.Sprintf(
			"the API version in the data (%s) does not match the expected API version (%s)",
			version, resource.Kind.GroupVersion()))
	}
	return out, nil
}

// accepts reports whether a body may have this version. Eviction accepts both of its versions, everything else only the
// one that the path serves.
func (r *Resource) accepts(version schema.GroupVersion) bool {
	if acceptor, ok := r.storage.(rest.GroupVersionAcceptor); ok {
		return acceptor.AcceptsGroupVersion(version)
	}
	return version == r.Kind.GroupVersion()
}

// placeInNamespace sets the namespace of an object to that of its request, or refuses another one.
func placeInNamespace(resource *Resource, req Request, obj metav1.Object) error {
	namespace := rest.ExpectedNamespaceForResource(req.Namespace, resource.GroupVersionResource)
	return rest.EnsureObjectNamespaceMatchesRequestNamespace(namespace, obj)
}

// checkName compares the name in a body with the one in the path.
func checkName(name string, obj metav1.Object) error {
	switch have := obj.GetName(); have {
	case name:
		return nil
	case "":
		return apierrors.NewBadRequest(fmt.Sprintf(
			"the name of the object (%s based on URL) was undeterminable: name must be provided", name))
	default:
		return apierrors.NewBadRequest(fmt.Sprintf(
			"the name of the object (%s) does not match the name on the URL (%s)", have, name))
	}
}

// dropRepeatedOwners removes owner references that occur twice. Two references to one owner that
// differ, in blockOwnerDeletion say, are both kept, as upstream keeps them.
func dropRepeatedOwners(obj metav1.Object) {
	references := obj.GetOwnerReferences()
	var kept []metav1.OwnerReference
	for _, reference := range references {
		repeated := slices.ContainsFunc(kept, func(other metav1.OwnerReference) bool {
			return equality.Semantic.DeepEqual(reference, other)
		})
		if !repeated {
			kept = append(kept, reference)
		}
	}
	if len(kept) < len(references) {
		obj.SetOwnerReferences(kept)
	}
}

// isStored reports whether an object came from the store: an update that may create starts from an empty one.
func isStored(obj runtime.Object) bool {
	accessor, err := meta.Accessor(obj)
	return err == nil && accessor.GetUID() != ""
}

// external converts a storage's answer to the version of the resource. Typed clients drop the kind of
// what they decode, so it is cleared.
func external(obj runtime.Object, resource *Resource) (runtime.Object, error) {
	switch obj.(type) {
	case nil:
		return nil, nil
	case *metav1.Status:
		return obj, nil
	}
	out, err := legacyscheme.Scheme.UnsafeConvertToVersion(obj, resource.Kind.GroupVersion())
	if err != nil {
		return nil, fmt.Errorf("converting %T to %s: %w", obj, resource.Kind.GroupVersion(), err)
	}
	out.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	return out, nil
}
