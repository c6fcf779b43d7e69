package manifest

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	sigsyaml "sigs.k8s.io/yaml"
)

// Content is an object as its fields, with its kind, and without what it has only because Go encodes it: empty times, and
// a status of zero values. It has the namespace of the request with which it came: clients may leave that to the path.
func Content(object runtime.Object, namespace string) (*unstructured.Unstructured, error) {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil, err
	}
	u := &unstructured.Unstructured{Object: fields}
	u.SetGroupVersionKind(object.GetObjectKind().GroupVersionKind())
	if namespace != metav1.NamespaceDefault {
		u.SetNamespace(namespace)
	}
	for _, field := range [][]string{
		{"metadata", "creationTimestamp"}, {"spec", "template", "metadata", "creationTimestamp"},
	} {
		if value, found, _ := unstructured.NestedFieldNoCopy(fields, field...); found && value == nil {
			unstructured.RemoveNestedField(fields, field...)
		}
	}
	if status, ok := fields["status"].(map[string]any); ok && isHollow(status) {
		delete(fields, "status")
	}
	return u, nil
}

// isHollow reports whether a status has nothing but zero values.
func isHollow(status map[string]any) bool {
	for _, value := range status {
		switch v := value.(type) {
		case map[string]any:
			if !isHollow(v) {
				return false
			}
		case int64:
			if v != 0 {
				return false
			}
		case nil:
		default:
			return false
		}
	}
	return true
}

// Text is JSON as YAML, empty if it is none.
func Text(data []byte) string {
	text, err := sigsyaml.JSONToYAML(data)
	if err != nil {
		return ""
	}
	return string(text)
}
