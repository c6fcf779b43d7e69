package relation

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	deploymentutil "k8s.io/kubernetes/pkg/controller/deployment/util"
)

var ofDeployments = []Relation{
	{
		Name: "deployment-counts-replicasets", Of: of(deployments, names.DeploymentController),
		Sentence:  "The numbers of replicas in the status of a Deployment are the totals of those of its ReplicaSets.",
		Reference: "https://kubernetes.io/docs/reference/kubernetes-api/apps/deployment-v1/#DeploymentStatus",
		broken:    miscounts,
	},
	{
		Name: "deployment-failure-of-replicaset", Of: of(deployments, names.DeploymentController),
		Sentence:  "A Deployment has the condition ReplicaFailure only if one of its ReplicaSets has it.",
		Reference: "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#failed-deployment",
		broken:    failsAlone,
	},
	{
		Name: "deployment-available-by-number", Of: of(deployments, names.DeploymentController),
		Sentence: "The condition Available of a Deployment is True if no more than maxUnavailable of its replicas are unavailable, and " +
			"False otherwise.",
		Reference: "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#complete-deployment",
		broken:    availableOrNot,
	},
}

// isObserved reports whether the status of a Deployment is about its spec.
func isObserved(d *appsv1.Deployment) bool {
	return d.DeletionTimestamp == nil && d.Status.ObservedGeneration >= d.Generation
}

func miscounts(v *View, object runtime.Object) *Breach {
	d := object.(*appsv1.Deployment)
	if !isObserved(d) {
		return nil
	}
	sets := v.replicaSetsOf(d)
	for _, number := range []struct {
		name     string
		says, is int32
	}{
		{"replicas", d.Status.Replicas, deploymentutil.GetActualReplicaCountForReplicaSets(sets)},
		{"readyReplicas", d.Status.ReadyReplicas, deploymentutil.GetReadyReplicaCountForReplicaSets(sets)},
		{"availableReplicas", d.Status.AvailableReplicas, deploymentutil.GetAvailableReplicaCountForReplicaSets(sets)},
	} {
		if number.says != number.is {
			return broken("status.%s is %d, but the total of its ReplicaSets is %d", number.name, number.says, number.is)
		}
	}
	return nil
}

func failsAlone(v *View, object runtime.Object) *Breach {
	d := object.(*appsv1.Deployment)
	failure := deploymentutil.GetDeploymentCondition(d.Status, appsv1.DeploymentReplicaFailure)
	if failure == nil || failure.Status != corev1.ConditionTrue || !isObserved(d) {
		return nil
	}
	for _, set := range v.replicaSetsOf(d) {
		for _, c := range set.Status.Conditions {
			if c.Type == appsv1.ReplicaSetReplicaFailure && c.Status == corev1.ConditionTrue {
				return nil
			}
		}
	}
	return broken("its condition ReplicaFailure is True (%s), but none of its ReplicaSets has that condition", failure.Reason)
}

func availableOrNot(_ *View, object runtime.Object) *Breach {
	d := object.(*appsv1.Deployment)
	available := deploymentutil.GetDeploymentCondition(d.Status, appsv1.DeploymentAvailable)
	if available == nil || !isObserved(d) {
		return nil
	}
	least := *d.Spec.Replicas - deploymentutil.MaxUnavailable(*d)
	if is := d.Status.AvailableReplicas >= least; is == (available.Status == corev1.ConditionTrue) {
		return nil
	}
	return broken("its condition Available is %s, but %d of its replicas are available, and at least %d should be",
		available.Status, d.Status.AvailableReplicas, least)
}
