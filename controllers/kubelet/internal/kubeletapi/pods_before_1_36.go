//go:build linux && kubernetes_before_1_36

package kubeletapi

import (
	"context"
	"time"
	"unsafe"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/kubelet"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	"k8s.io/kubernetes/pkg/kubelet/config"
	kubelettypes "k8s.io/kubernetes/pkg/kubelet/types"
)

// Run runs a kubelet until the simulation ends.
func Run(_ context.Context, k *kubelet.Kubelet, updates <-chan kubelettypes.PodUpdate) {
	k.Run(updates)
}

// StartGarbageCollection starts to collect containers and images.
func StartGarbageCollection(_ context.Context, k *kubelet.Kubelet) { k.StartGarbageCollection() }

// ResourceConfig is what upstream writes to the cgroup of a Pod, with a period in microseconds.
func ResourceConfig(pod *corev1.Pod, period uint64) *cm.ResourceConfig {
	return cm.ResourceConfigForPod(pod, true, period, false)
}

//go:linkname newSourceFile k8s.io/kubernetes/pkg/kubelet/config.newSourceFile
func newSourceFile(path string, node types.NodeName, period time.Duration, updates chan<- any) unsafe.Pointer

// StaticPods returns upstream's source of static Pods, which nobody has started: list makes it read all manifests.
func StaticPods(
	ctx context.Context, pods *config.PodConfig, path, node string, period time.Duration,
) (list func(klog.Logger) error) {
	source := newSourceFile(path, types.NodeName(node), period, pods.Channel(ctx, kubelettypes.FileSource))
	return func(logger klog.Logger) error { return listConfig(source, logger) }
}
