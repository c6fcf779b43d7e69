//go:build linux && kubernetes_before_1_37

package kubelet

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/kubelet/util"

	"github.com/kubestep/kubestep/controllers/kubelet/internal/kubeletapi"
)

// MachineInfo implements cadvisor.Interface.
func (h *hardware) MachineInfo() (*kubeletapi.MachineInfo, error) { return h.machine(), nil }

// GetCapacity implements cm.ContainerManager.
func (c withoutCgroups) GetCapacity(bool) corev1.ResourceList { return c.capacity() }

// newStartupTracker measures how long a node takes to start.
func newStartupTracker(context.Context) util.NodeStartupLatencyTracker {
	return util.NewNodeStartupLatencyTracker()
}
