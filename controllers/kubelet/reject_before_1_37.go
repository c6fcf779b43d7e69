//go:build linux && kubernetes_before_1_37

package kubelet

import "k8s.io/kubernetes/pkg/kubelet/lifecycle"

// GetAllocateResourcesPodAdmitHandler implements cm.ContainerManager.
func (c rejecting) GetAllocateResourcesPodAdmitHandler() lifecycle.PodAdmitHandler {
	return rejectingHandler{c.ContainerManager.GetAllocateResourcesPodAdmitHandler(), c.reject}
}

// Admit implements lifecycle.PodAdmitHandler.
func (h rejectingHandler) Admit(attributes *lifecycle.PodAdmitAttributes) lifecycle.PodAdmitResult {
	if result, ok := h.reject.result(attributes.Pod); ok {
		return result
	}
	return h.PodAdmitHandler.Admit(attributes)
}
