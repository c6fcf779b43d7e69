//go:build linux && !kubernetes_before_1_37

package kubelet

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
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
func (c rejecting) GetAllocateResourcesPodAdmitHandler(logger klog.Logger) lifecycle.PodAdmitHandler {
	return rejectingHandler{c.ContainerManager.GetAllocateResourcesPodAdmitHandler(logger), c.reject}
}

type rejectingHandler struct {
	lifecycle.PodAdmitHandler
	reject func(*corev1.Pod) (reason, message string)
}

// Admit implements lifecycle.PodAdmitHandler. A Pod that is resized is admitted already.
func (h rejectingHandler) Admit(ctx context.Context, attributes *lifecycle.PodAdmitAttributes) lifecycle.PodAdmitResult {
	if attributes.Operation == lifecycle.AddOperation {
		if reason, message := h.reject(attributes.Pod); reason != "" {
			return lifecycle.PodAdmitResult{Reason: reason, Message: message}
		}
	}
	return h.PodAdmitHandler.Admit(ctx, attributes)
}
