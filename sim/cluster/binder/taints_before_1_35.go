//go:build kubernetes_before_1_35

package binder

import (
	corev1 "k8s.io/api/core/v1"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
)

// tolerates reports whether a Pod tolerates all taints of a node that keep Pods away.
func tolerates(pod *corev1.Pod, node *corev1.Node) bool {
	hard := func(taint *corev1.Taint) bool { return taint.Effect != corev1.TaintEffectPreferNoSchedule }
	_, found := corev1helpers.FindMatchingUntoleratedTaint(node.Spec.Taints, pod.Spec.Tolerations, hard)
	return !found
}
