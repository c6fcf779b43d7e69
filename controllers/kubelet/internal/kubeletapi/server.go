//go:build linux && !kubernetes_before_1_35

package kubeletapi

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	"k8s.io/kubernetes/pkg/kubelet/server"
	"k8s.io/kubernetes/pkg/kubelet/server/stats"
)

// Host is a kubelet as its server sees it.
type Host interface {
	server.HostInterface
	stats.Provider
}

// NewServer returns the server of a kubelet, which lets everybody in.
func NewServer(of Host, recorder record.EventRecorder, config *kubeletconfig.KubeletConfiguration) server.Server {
	ctx := context.Background()
	return server.NewServer(ctx, of, stats.NewResourceAnalyzer(ctx, of, 0, recorder), nil, nil, nil, config)
}

// PodCgroups is a manager of the cgroups of Pods that writes none.
type PodCgroups struct{ cm.PodContainerManager }

// SetPodCgroupConfig implements cm.PodContainerManager.
func (PodCgroups) SetPodCgroupConfig(klog.Logger, *corev1.Pod, *cm.ResourceConfig) error { return nil }
