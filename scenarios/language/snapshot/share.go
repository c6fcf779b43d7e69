package snapshot

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// MakeShareable removes what nobody needs of an object that goes into a file, and what nobody may see: who manages its fields, the manifest
// that kubectl apply keeps in an annotation, which has the values of a Secret, and the values of Secrets and ConfigMaps. It reports whether
// there were values.
func MakeShareable(o *unstructured.Unstructured) (hidden bool) {
	o.SetManagedFields(nil)
	if annotations := o.GetAnnotations(); annotations[corev1.LastAppliedConfigAnnotation] != "" {
		delete(annotations, corev1.LastAppliedConfigAnnotation)
		o.SetAnnotations(annotations)
	}
	return redact(o)
}

// Counts counts objects by their kinds: 3 Nodes, 10 Pods.
func Counts(objects []*unstructured.Unstructured) string {
	all := counts{}
	for _, o := range objects {
		all[o.GetKind()]++
	}
	return all.String()
}
