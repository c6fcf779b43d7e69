//go:build linux && !kubernetes_before_1_37

package kubelet

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/kubelet/util"

	"github.com/kubestep/kubestep/controllers/kubelet/internal/kubeletapi"
)

// What upstream passes a logger to since 1.37.

// MachineInfo implements cadvisor.Interface.
func (h *hardware) MachineInfo(klog.Logger) (*kubeletapi.MachineInfo, error) { return h.machine(), nil }

// GetCapacity implements cm.ContainerManager.
func (c withoutCgroups) GetCapacity(klog.Logger, bool) corev1.ResourceList { return c.capacity() }

// newStartupTracker measures how long a node takes to start.
func newStartupTracker(ctx context.Context) util.NodeStartupLatencyTracker {
	return util.NewNodeStartupLatencyTracker(klog.FromContext(ctx))
}
