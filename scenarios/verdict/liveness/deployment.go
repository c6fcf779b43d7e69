package liveness

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	deploymentutil "k8s.io/kubernetes/pkg/controller/deployment/util"
)

var deployments = Goal{
	Resource: appsv1.Resource("deployments"), Controller: "deployment-controller",
	Sentence: "The rollout of a Deployment that is not paused is complete: its current ReplicaSet has all replicas, they are " +
		"available, and its old ReplicaSets have none.",
	Upstream: "DeploymentComplete in k8s.io/kubernetes/pkg/controller/deployment/util",
	lack: func(v *view, object runtime.Object) *Lack {
		d := object.(*appsv1.Deployment)
		if d.DeletionTimestamp != nil {
			return nil
		}
		if lack := unobserved(d.Generation, d.Status.ObservedGeneration); lack != nil {
			return lack
		}
		if d.Spec.Paused {
			return nil
		}
		return rollout(v, d)
	},
	note: func(v *view, object runtime.Object) string {
		d := object.(*appsv1.Deployment)
		if !d.Spec.Paused {
			return ""
		}
		if lack := rollout(v, d); lack != nil {
			return lack.Missing + "; spec.paused is true, so it continues after it is resumed"
		}
		return ""
	},
}

func rollout(v *view, d *appsv1.Deployment) *Lack {
	var sets []*appsv1.ReplicaSet
	var pods []*corev1.Pod
	for _, object := range v.List(appsv1.Resource("replicasets"), d.Namespace) {
		if set := object.(*appsv1.ReplicaSet); metav1.IsControlledBy(set, d) {
			sets = append(sets, set)
			pods = append(pods, v.controlledBy(set.UID)...)
		}
	}
	current := deploymentutil.FindNewReplicaSet(d, sets)
	if current == nil {
		lack := &Lack{Missing: "no ReplicaSet has the current Pod template"}
		v.awaitPod(lack, oldest(d, pods), 0)
		return lack
	}
	old := deploymentutil.GetReplicaCountForReplicaSets(sets) - *current.Spec.Replicas
	if *current.Spec.Replicas == *d.Spec.Replicas && old == 0 && deploymentutil.DeploymentComplete(d, &d.Status) {
		return nil
	}
	lack := &Lack{Missing: fmt.Sprintf("its rollout is not complete: the current ReplicaSet %s has spec.replicas %d, the old ones %d, "+
		"and %d of %d replicas are available", current.Name, *current.Spec.Replicas, old, d.Status.AvailableReplicas, *d.Spec.Replicas)}
	if v.awaitPod(lack, pods, d.Spec.MinReadySeconds) {
		return lack
	}
	for _, set := range sets {
		if replicaSet(v, set) != nil {
			lack.await(appsv1.Resource("replicasets"), set, "ReplicaSet "+set.Name)
		}
	}
	return lack
}

// oldest are the Pods that a Deployment with the strategy Recreate waits for before it creates a ReplicaSet.
func oldest(d *appsv1.Deployment, pods []*corev1.Pod) []*corev1.Pod {
	if d.Spec.Strategy.Type != appsv1.RecreateDeploymentStrategyType {
		return nil
	}
	return pods
}
