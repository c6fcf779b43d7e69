//go:build linux && kubernetes_before_1_37

package kubelet

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
)

// rejecting is a container manager whose handler of admission rejects Pods as a fault says, as upstream's does if it cannot allocate a
// device.
type rejecting struct {
	cm.ContainerManager
	reject func(*corev1.Pod) (reason, message string)
}

// GetAllocateResourcesPodAdmitHandler implements cm.ContainerManager.
func (c rejecting) GetAllocateResourcesPodAdmitHandler() lifecycle.PodAdmitHandler {
	return rejectingHandler{c.ContainerManager.GetAllocateResourcesPodAdmitHandler(), c.reject}
}

type rejectingHandler struct {
	lifecycle.PodAdmitHandler
	reject func(*corev1.Pod) (reason, message string)
}

// Admit implements lifecycle.PodAdmitHandler.
func (h rejectingHandler) Admit(attributes *lifecycle.PodAdmitAttributes) lifecycle.PodAdmitResult {
	if reason, message := h.reject(attributes.Pod); reason != "" {
		return lifecycle.PodAdmitResult{Reason: reason, Message: message}
	}
	return h.PodAdmitHandler.Admit(attributes)
}
