//go:build linux

package kubelet

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
)

// rejection says why a fault makes the kubelet reject a Pod; the reason is empty if none does.
type rejection func(*corev1.Pod) (reason, message string)

// result is what a handler of admission says of a Pod that is new on the node; ok is false if no fault rejects it.
func (r rejection) result(pod *corev1.Pod) (result lifecycle.PodAdmitResult, ok bool) {
	reason, message := r(pod)
	return lifecycle.PodAdmitResult{Reason: reason, Message: message}, reason != ""
}

// rejecting is a container manager whose handler of admission rejects Pods as a fault says, as upstream's does if it cannot allocate a
// device.
type rejecting struct {
	cm.ContainerManager
	reject rejection
}

// rejectingHandler is that handler.
type rejectingHandler struct {
	lifecycle.PodAdmitHandler
	reject rejection
}
