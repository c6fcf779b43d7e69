package relation

import (
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
)

var ofAutoscalers = []Relation{{
	Name:     "autoscaler-scales-its-target",
	Of:       of(autoscalingv2.Resource("horizontalpodautoscalers"), names.HorizontalPodAutoscalerController),
	Sentence: "The target of a HorizontalPodAutoscaler that is able to scale has status.desiredReplicas.",
	Reference: "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/" +
		"#how-does-a-horizontalpodautoscaler-work",
	broken: func(v *View, object runtime.Object) *Breach {
		scaler, ok := object.(*autoscalingv2.HorizontalPodAutoscaler)
		if !ok || scaler.DeletionTimestamp != nil || !isActive(scaler) {
			return nil
		}
		target := scaler.Spec.ScaleTargetRef
		replicas, known := v.replicasOf(scaler.Namespace, target)
		if !known || replicas == scaler.Status.DesiredReplicas {
			return nil
		}
		return broken("status.desiredReplicas is %d, but its target %s %s has %d replicas", scaler.Status.DesiredReplicas,
			target.Kind, target.Name, replicas)
	},
}}

// isActive reports whether an autoscaler is able to scale, and does.
func isActive(scaler *autoscalingv2.HorizontalPodAutoscaler) bool {
	active := 0
	for _, c := range scaler.Status.Conditions {
		if (c.Type == autoscalingv2.AbleToScale || c.Type == autoscalingv2.ScalingActive) && c.Status == corev1.ConditionTrue {
			active++
		}
	}
	return active == 2
}

// replicasOf is spec.replicas of the target of an autoscaler; known is false if it does not exist, or is of another kind.
func (v *View) replicasOf(namespace string, target autoscalingv2.CrossVersionObjectReference) (replicas int32, known bool) {
	resource := map[string]string{"Deployment": "deployments", "ReplicaSet": "replicasets", "StatefulSet": "statefulsets"}[target.Kind]
	found, exists := v.Get(appsv1.Resource(resource), namespace, target.Name)
	if !exists {
		return 0, false
	}
	switch workload := found.(type) {
	case *appsv1.Deployment:
		return *workload.Spec.Replicas, true
	case *appsv1.ReplicaSet:
		return *workload.Spec.Replicas, true
	case *appsv1.StatefulSet:
		return *workload.Spec.Replicas, true
	}
	return 0, false
}
