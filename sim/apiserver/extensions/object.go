package extensions

import (
	"fmt"
	"strconv"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	upstream "k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/sim/apiserver/memdb"
)

// Definitions is the resource of definitions, and DefinitionKind their kind.
var (
	Definitions    = apiextensionsv1.SchemeGroupVersion.WithResource("customresourcedefinitions")
	DefinitionKind = apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition")
)

// Written is the object of a write as observers of the store see it: a definition in its version v1, and every other object
// in the version in which it is stored.
func Written(c memdb.Commit) *unstructured.Unstructured {
	object, err := written(c)
	if err != nil {
		panic(fmt.Sprintf("extensions: a stored %s: %v", c.Resource, err))
	}
	object.SetResourceVersion(strconv.FormatUint(c.Revision, 10))
	return object
}

func written(c memdb.Commit) (*unstructured.Unstructured, error) {
	if c.Resource != Definitions.GroupResource() {
		object, err := runtime.Decode(unstructured.UnstructuredJSONScheme, c.Data)
		if err != nil {
			return nil, err
		}
		return object.(*unstructured.Unstructured), nil
	}
	object, err := runtime.Decode(upstream.Codecs.UniversalDecoder(), c.Data)
	if err != nil {
		return nil, err
	}
	return Untyped(object), nil
}

// Untyped is an object without types; a definition becomes one of its version v1. It belongs to the caller unless it had
// no types before.
func Untyped(object runtime.Object) *unstructured.Unstructured {
	if object, ok := object.(*unstructured.Unstructured); ok {
		return object
	}
	external, err := upstream.Scheme.ConvertToVersion(object, DefinitionKind.GroupVersion())
	if err != nil {
		panic(fmt.Sprintf("extensions: a stored definition: %v", err))
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(external)
	if err != nil {
		panic(fmt.Sprintf("extensions: a stored definition: %v", err))
	}
	// A list that a definition does not have is null in its JSON.
	WithoutNulls(fields)
	out := &unstructured.Unstructured{Object: fields}
	out.SetGroupVersionKind(DefinitionKind)
	return out
}

// WithoutNulls removes the fields that an object of a Go type has for want of a value.
func WithoutNulls(fields map[string]any) {
	for name, value := range fields {
		switch value := value.(type) {
		case nil:
			delete(fields, name)
		case map[string]any:
			WithoutNulls(value)
		}
	}
}

// Decode reads a body that kube-apiserver's own scheme does not know, nil if it is none.
func Decode(data []byte) runtime.Object {
	if object, _, err := upstream.Codecs.UniversalDeserializer().Decode(data, nil, nil); err == nil {
		if object.GetObjectKind().GroupVersionKind() == DefinitionKind {
			return Untyped(object)
		}
		return object
	}
	if object, _, err := unstructured.UnstructuredJSONScheme.Decode(data, nil, nil); err == nil {
		return object
	}
	return nil
}
