package manifest

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/sim/kinds"
)

// Typed converts the fields of a recorded object to its type. A custom resource has no type. It is nil if the object does not fit.
// It has the defaults of the API server: a trace can come from anywhere, and what reads objects relies on them.
func Typed(resource string, fields map[string]any) runtime.Object {
	kind := kinds.BuiltIn().Named(resource)
	if kind == nil {
		return &unstructured.Unstructured{Object: fields}
	}
	object, err := Scheme.New(kind.GroupVersionKind())
	if err != nil {
		return nil
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(fields, object); err != nil {
		return nil
	}
	Scheme.Default(object)
	return object
}
