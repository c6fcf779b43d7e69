package liveness

import (
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/v1/pod"
)

var podRemovals = Goal{
	Resource: corev1.Resource("pods"), Controller: "pod-garbage-collector-controller",
	Sentence: "A Pod on a node that no longer exists is removed.",
	Upstream: "gcOrphaned in k8s.io/kubernetes/pkg/controller/podgc/gc_controller.go",
	lack: func(v *view, object runtime.Object) *Lack {
		p := object.(*corev1.Pod)
		if p.Spec.NodeName == "" || p.Spec.NodeName == p.Name {
			return nil
		}
		if _, found := v.Get(corev1.Resource("nodes"), "", p.Spec.NodeName); found {
			return nil
		}
		return &Lack{Missing: fmt.Sprintf("its node %s does not exist, but it is not removed", p.Spec.NodeName), For: otherFinalizer(p)}
	},
}

// otherFinalizer says that a finalizer keeps an object, which is for its owner to remove.
func otherFinalizer(object metav1.Object) string {
	if finalizers := object.GetFinalizers(); len(finalizers) > 0 {
		return "the removal of the finalizer " + finalizers[0]
	}
	return ""
}

var jobPodRemovals = Goal{
	Resource: corev1.Resource("pods"), Controller: "job-controller",
	Sentence: "A terminated Pod of a Job is counted, and loses the finalizer " + batchv1.JobTrackingFinalizer + ". " +
		"If another controller manages the Job, that is for it to do.",
	Upstream: "trackJobStatusAndRemoveFinalizers in k8s.io/kubernetes/pkg/controller/job/job_controller.go",
	lack: func(v *view, object runtime.Object) *Lack {
		p := object.(*corev1.Pod)
		if !pod.IsPodTerminal(p) || v.isOfForeignJob(p) {
			return nil
		}
		for _, finalizer := range p.Finalizers {
			if finalizer == batchv1.JobTrackingFinalizer {
				return &Lack{Missing: "it has terminated, but still has the finalizer " + finalizer}
			}
		}
		return nil
	},
}

// isOfForeignJob reports whether a Pod belongs to a Job that another controller manages.
func (v *view) isOfForeignJob(p *corev1.Pod) bool {
	owner := metav1.GetControllerOfNoCopy(p)
	if owner == nil || owner.Kind != "Job" {
		return false
	}
	job, found := v.Get(batchv1.Resource("jobs"), p.Namespace, owner.Name)
	return found && job.(*batchv1.Job).UID == owner.UID && isForeign(job.(*batchv1.Job))
}
