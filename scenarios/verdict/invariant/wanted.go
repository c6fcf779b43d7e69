package invariant

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
)

// wantedPods is how many Pods an object wants; false means that this is not known. A DaemonSet wants at most one on each node.
func wantedPods(object runtime.Object, nodes int) (int, bool) {
	switch o := object.(type) {
	case *appsv1.ReplicaSet:
		return int(ptr.Deref(o.Spec.Replicas, 1)), true
	case *corev1.ReplicationController:
		return int(ptr.Deref(o.Spec.Replicas, 1)), true
	case *appsv1.StatefulSet:
		return int(ptr.Deref(o.Spec.Replicas, 1)), true
	case *appsv1.DaemonSet:
		return max(nodes, int(o.Status.DesiredNumberScheduled)), true
	case *batchv1.Job:
		return int(ptr.Deref(o.Spec.Parallelism, 1)), true
	case *unstructured.Unstructured:
		replicas, found, err := unstructured.NestedInt64(o.Object, "spec", "replicas")
		return int(replicas), found && err == nil
	}
	return 0, false
}

// failuresOf is how many Pods of a Job may fail, so that the Job replaces them; false means any number of them.
func failuresOf(job *batchv1.Job) (int, bool) {
	if job.Spec.PodFailurePolicy != nil {
		return 0, false // it may ignore failures
	}
	parallel := int(ptr.Deref(job.Spec.Parallelism, 1))
	if index := job.Spec.BackoffLimitPerIndex; index != nil {
		return int(ptr.Deref(job.Spec.Completions, 1)) * (int(*index) + 1), true
	}
	const byDefault = 6 // backoffLimit
	return int(ptr.Deref(job.Spec.BackoffLimit, byDefault)) + parallel, true
}
