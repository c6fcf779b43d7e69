package liveness

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

var replicaSets = Goal{
	Resource: appsv1.Resource("replicasets"), Controller: "replicaset-controller",
	Sentence: "A ReplicaSet has spec.replicas active Pods, which are Ready, and its status counts them.",
	Upstream: "manageReplicas and calculateStatus in k8s.io/kubernetes/pkg/controller/replicaset",
	lack:     func(v *view, object runtime.Object) *Lack { return replicaSet(v, object.(*appsv1.ReplicaSet)) },
}

var replicationControllers = Goal{
	Resource: corev1.Resource("replicationcontrollers"), Controller: "replicationcontroller-controller",
	Sentence: "A ReplicationController has spec.replicas active Pods, which are Ready, and its status counts them.",
	Upstream: "k8s.io/kubernetes/pkg/controller/replication, which runs the code of the ReplicaSet controller",
	lack: func(v *view, object runtime.Object) *Lack {
		rc := object.(*corev1.ReplicationController)
		refused := ""
		for _, c := range rc.Status.Conditions {
			if c.Type == corev1.ReplicationControllerReplicaFailure && c.Status == corev1.ConditionTrue {
				refused = c.Message
			}
		}
		return replicas(v, rc, *rc.Spec.Replicas, rc.Status.ObservedGeneration, rc.Status.Replicas, rc.Status.ReadyReplicas, refused)
	},
}

func replicaSet(v *view, set *appsv1.ReplicaSet) *Lack {
	refused := ""
	for _, c := range set.Status.Conditions {
		if c.Type == appsv1.ReplicaSetReplicaFailure && c.Status == corev1.ConditionTrue {
			refused = c.Message
		}
	}
	return replicas(v, set, *set.Spec.Replicas, set.Status.ObservedGeneration, set.Status.Replicas, set.Status.ReadyReplicas, refused)
}

// replicas compares what an owner of replicas wants, and what its status says, with its Pods. A creation that the API
// server refused is what it waits for: a quota, say. The controller retries.
func replicas(v *view, owner metav1.Object, want int32, observed int64, said, saidReady int32, refused string) *Lack {
	if owner.GetDeletionTimestamp() != nil {
		return nil
	}
	if lack := unobserved(owner.GetGeneration(), observed); lack != nil {
		return lack
	}
	active, ready := counts(v.controlledBy(owner.GetUID()))
	if active != want {
		lack := &Lack{Missing: fmt.Sprintf("it has %d active Pods, but spec.replicas is %d", active, want)}
		if active < want && refused != "" {
			lack.For, lack.Refused = "the API server to accept its Pods: "+refused, true
		}
		return lack
	}
	if lack := differ("replicas", said, active, "readyReplicas", saidReady, ready); lack != nil {
		return lack
	}
	return v.notAllReady(v.controlledBy(owner.GetUID()), want)
}
