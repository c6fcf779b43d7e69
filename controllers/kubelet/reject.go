//go:build linux && !kubernetes_before_1_37

package kubelet

import (
	"context"

	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
)

// GetAllocateResourcesPodAdmitHandler implements cm.ContainerManager.
func (c rejecting) GetAllocateResourcesPodAdmitHandler(logger klog.Logger) lifecycle.PodAdmitHandler {
	return rejectingHandler{c.ContainerManager.GetAllocateResourcesPodAdmitHandler(logger), c.reject}
}

// Admit implements lifecycle.PodAdmitHandler. A Pod that is resized is admitted already.
func (h rejectingHandler) Admit(ctx context.Context, attributes *lifecycle.PodAdmitAttributes) lifecycle.PodAdmitResult {
	if attributes.Operation == lifecycle.AddOperation {
		if result, ok := h.reject.result(attributes.Pod); ok {
			return result
		}
	}
	return h.PodAdmitHandler.Admit(ctx, attributes)
}
