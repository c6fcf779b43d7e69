package liveness

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

var namespaceRemovals = Goal{
	Resource: corev1.Resource("namespaces"), Controller: "namespace-controller",
	Sentence: "A namespace that is terminating is removed after its content.",
	Upstream: "Delete in k8s.io/kubernetes/pkg/controller/namespace/deletion/namespaced_resources_deleter.go",
	lack: func(v *view, object runtime.Object) *Lack {
		namespace := object.(*corev1.Namespace)
		if namespace.DeletionTimestamp == nil {
			return nil
		}
		lack := &Lack{Missing: "it is terminating"}
		if left := othersFinalizers(namespace); len(left) > 0 && !slices.Contains(namespace.Spec.Finalizers, corev1.FinalizerKubernetes) {
			// The controller has done its part.
			lack.For = "the removal of the finalizer " + left[0]
			return lack
		}
		for _, c := range namespace.Status.Conditions {
			remains := c.Type == corev1.NamespaceContentRemaining || c.Type == corev1.NamespaceFinalizersRemaining
			if remains && c.Status == corev1.ConditionTrue {
				lack.For = "its content: " + c.Message
			}
		}
		// While Pods exist, the conditions do not name them.
		for _, p := range v.podsIn(namespace.Name) {
			if lack.For == "" && p.DeletionTimestamp != nil {
				lack.await(corev1.Resource("pods"), p, fmt.Sprintf("Pod %s, which is terminating", p.Name))
			}
		}
		return lack
	},
}

// othersFinalizers are the finalizers of a namespace, in its spec and its metadata, that are not for the namespace controller to remove.
func othersFinalizers(namespace *corev1.Namespace) []string {
	var others []string
	for _, finalizer := range namespace.Spec.Finalizers {
		if finalizer != corev1.FinalizerKubernetes {
			others = append(others, string(finalizer))
		}
	}
	return append(others, namespace.Finalizers...)
}
