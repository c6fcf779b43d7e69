package liveness

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/v1/pod"

	"github.com/kubestep/kubestep/scenarios/verdict/internal/ordinal"
)

var statefulSets = Goal{
	Resource: appsv1.Resource("statefulsets"), Controller: "statefulset-controller",
	Sentence: "A StatefulSet has one Pod for each of its ordinals and no others. With RollingUpdate, the Pods from the partition on " +
		"have the update revision, and without a partition this revision becomes the current one.",
	Upstream: "updateStatefulSet in k8s.io/kubernetes/pkg/controller/statefulset/stateful_set_control.go",
	lack: func(v *view, object runtime.Object) *Lack {
		set := object.(*appsv1.StatefulSet)
		if set.DeletionTimestamp != nil {
			return nil
		}
		if lack := unobserved(set.Generation, set.Status.ObservedGeneration); lack != nil {
			return lack
		}
		pods := v.controlledBy(set.UID)
		lack := ordinals(set, pods)
		if lack == nil {
			lack = revisions(set, pods)
		}
		if lack == nil {
			created, ready := createdAndReady(pods)
			lack = differ("replicas", set.Status.Replicas, created, "readyReplicas", set.Status.ReadyReplicas, ready)
			if lack == nil {
				lack = v.notAllReady(pods, *set.Spec.Replicas)
			}
			return lack
		}
		// With OrderedReady, and in every rolling update, one Pod that is not Ready holds up all others.
		v.awaitPod(lack, pods, set.Spec.MinReadySeconds)
		return lack
	},
	note: func(v *view, object runtime.Object) string {
		set := object.(*appsv1.StatefulSet)
		return oldRevisions(set, v.controlledBy(set.UID))
	},
}

// createdAndReady are the numbers in the status of a set, which count its terminating Pods as well (computeReplicaStatus in
// k8s.io/kubernetes/pkg/controller/statefulset/stateful_set_control.go).
func createdAndReady(pods []*corev1.Pod) (created, ready int32) {
	for _, p := range pods {
		if p.Status.Phase == "" {
			continue
		}
		created++
		if p.Status.Phase == corev1.PodRunning && pod.IsPodReady(p) {
			ready++
		}
	}
	return created, ready
}

// ordinals compares the Pods of a set with its ordinals.
func ordinals(set *appsv1.StatefulSet, pods []*corev1.Pod) *Lack {
	start, end := ordinal.Range(set)
	seen := map[int]bool{}
	for _, p := range pods {
		number, found := ordinal.Of(p.Name, set.Name)
		switch {
		case !found:
		case number < start || number >= end:
			return &Lack{Missing: fmt.Sprintf("Pod %s exists, but the ordinals are %d to %d", p.Name, start, end-1)}
		case pod.IsPodTerminal(p):
			return &Lack{Missing: fmt.Sprintf("Pod %s has terminated, but was not replaced", p.Name)}
		default:
			seen[number] = true
		}
	}
	for number := start; number < end; number++ {
		if !seen[number] {
			return &Lack{Missing: fmt.Sprintf("Pod %s-%d does not exist", set.Name, number)}
		}
	}
	return nil
}
