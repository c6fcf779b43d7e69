package server

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// asJSON returns a stored object, in any encoding, as JSON in the version in which it is stored. What the scheme does not know is
// a definition or a custom resource, which are stored as JSON.
func asJSON(stored []byte) ([]byte, error) {
	object, _, err := legacyscheme.Codecs.UniversalDeserializer().Decode(stored, nil, nil)
	if runtime.IsNotRegisteredError(err) {
		return stored, nil
	} else if err != nil {
		return nil, err
	}
	scheme := legacyscheme.Scheme
	return runtime.Encode(json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, json.SerializerOptions{}), object)
}

// restoring returns the request that restores an object, which may have any version and encoding that etcd may hold, also
// one that is not served any more. name is its key without the prefix.
func restoring(server *apiserver.Server, name string, data []byte) (apiserver.Request, error) {
	object, kind, err := legacyscheme.Codecs.UniversalDeserializer().Decode(data, nil, nil)
	if runtime.IsNotRegisteredError(err) {
		return restoringCustom(name, data)
	} else if err != nil {
		return apiserver.Request{}, err
	}
	internal, err := legacyscheme.Scheme.UnsafeConvertToVersion(object, runtime.InternalGroupVersioner)
	if err != nil {
		return apiserver.Request{}, err
	}
	for _, r := range stored(server) {
		if r.Kind.GroupKind() != kind.GroupKind() {
			continue
		}
		external, err := legacyscheme.Scheme.ConvertToVersion(internal, r.Kind.GroupVersion())
		if err != nil {
			return apiserver.Request{}, err
		}
		return requestOf(r, external)
	}
	return apiserver.Request{}, fmt.Errorf("no resource holds %s", kind)
}

// restoringCustom is restoring for a definition or a custom resource, whose key says what it is:
// apiextensions.k8s.io/customresourcedefinitions/NAME, GROUP/RESOURCE/NAMESPACE/NAME.
func restoringCustom(name string, data []byte) (apiserver.Request, error) {
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(data); err != nil {
		return apiserver.Request{}, err
	}
	parts := strings.Split(name, "/")
	if len(parts) < 3 {
		return apiserver.Request{}, fmt.Errorf("key %s: want GROUP/RESOURCE/NAME", name)
	}
	return apiserver.Request{
		Resource:  schema.GroupVersionResource{Group: parts[0], Version: object.GroupVersionKind().Version, Resource: parts[1]},
		Namespace: strings.Join(parts[2:len(parts)-1], "/"), Name: parts[len(parts)-1], Object: object,
	}, nil
}

// stored lists the resources of a server, each in one version and without subresources.
func stored(server *apiserver.Server) []*apiserver.Resource {
	var out []*apiserver.Resource
	for _, r := range server.Resources() {
		if preferred, _ := server.Preferred(r.GroupResource()); r == preferred && r.Subresource == "" {
			out = append(out, r)
		}
	}
	return out
}

// requestOf is about an object of a resource.
func requestOf(r *apiserver.Resource, object runtime.Object) (apiserver.Request, error) {
	accessor, err := meta.Accessor(object)
	if err != nil {
		return apiserver.Request{}, err
	}
	return apiserver.Request{
		Resource: r.GroupVersionResource, Namespace: accessor.GetNamespace(), Name: accessor.GetName(), Object: object,
	}, nil
}
