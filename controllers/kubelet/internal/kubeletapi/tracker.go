//go:build linux && !kubernetes_before_1_37

package kubeletapi

import (
	"context"

	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/kubelet/util"
)

// NewStartupTracker measures how long a node takes to start.
func NewStartupTracker(ctx context.Context) util.NodeStartupLatencyTracker {
	return util.NewNodeStartupLatencyTracker(klog.FromContext(ctx))
}
