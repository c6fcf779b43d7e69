//go:build !kubernetes_before_1_35

package placement

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	v1helper "k8s.io/kubernetes/pkg/apis/core/v1/helper"
	"k8s.io/kubernetes/pkg/controller/daemon"
)

// Tolerations are the tolerations that match taints, and whether each taint has one.
func Tolerations(taints []corev1.Taint, tolerations []corev1.Toleration) (all bool, used []corev1.Toleration) {
	return v1helper.GetMatchingTolerations(klog.Background(), taints, tolerations)
}

// RunsDaemonPod reports whether a node should have a Pod of a DaemonSet, and whether a Pod that it has may stay.
func RunsDaemonPod(node *corev1.Node, set *appsv1.DaemonSet) (run, stay bool) {
	return daemon.NodeShouldRunDaemonPod(klog.Background(), node, set)
}
