//go:build linux && !kubernetes_before_1_36

package kubeletapi

import (
	"context"
	"time"
	"unsafe"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/kubelet"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	"k8s.io/kubernetes/pkg/kubelet/config"
	kubelettypes "k8s.io/kubernetes/pkg/kubelet/types"
)

// Run runs a kubelet until ctx ends.
func Run(ctx context.Context, k *kubelet.Kubelet, updates <-chan kubelettypes.PodUpdate) {
	k.Run(ctx, updates)
}

// StartGarbageCollection starts to collect containers and images.
func StartGarbageCollection(ctx context.Context, k *kubelet.Kubelet) { k.StartGarbageCollection(ctx) }

// ResourceConfig is what upstream writes to the cgroup of a Pod, with a period in microseconds.
func ResourceConfig(pod *corev1.Pod, period uint64) *cm.ResourceConfig {
	return cm.ResourceConfigForPod(pod, true, period, false, kubeletconfig.NoneMemoryReservationPolicy)
}

// sourceUpdate is what a source of Pods sends: that of upstream's package.
type sourceUpdate struct{ Pods []*corev1.Pod }

//go:linkname newSourceFile k8s.io/kubernetes/pkg/kubelet/config.newSourceFile
func newSourceFile(path string, node types.NodeName, period time.Duration, updates chan<- sourceUpdate) unsafe.Pointer

//go:linkname listConfig k8s.io/kubernetes/pkg/kubelet/config.(*sourceFile).listConfig
func listConfig(source unsafe.Pointer, logger klog.Logger) error

// StaticPods returns upstream's source of static Pods, which nobody has started: list makes it read all manifests.
func StaticPods(
	ctx context.Context, pods *config.PodConfig, path, node string, period time.Duration,
) (list func(klog.Logger) error) {
	channel := pods.Channel(ctx, kubelettypes.FileSource)
	source := newSourceFile(path, types.NodeName(node), period, *(*chan<- sourceUpdate)(unsafe.Pointer(&channel)))
	return func(logger klog.Logger) error { return listConfig(source, logger) }
}
