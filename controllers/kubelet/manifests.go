//go:build linux && !kubernetes_before_1_37

package kubelet

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"time"
	"unsafe" // also for linkname

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/kubelet"
	kubelettypes "k8s.io/kubernetes/pkg/kubelet/types"
)

// manifestFolder is where the manifests of static Pods are on a node, as kubeadm configures kubelets.
const manifestFolder = "/etc/kubernetes/manifests"

// ManifestFile is the file of the manifest of a static Pod.
func ManifestFile(pod string) string { return filepath.Join(manifestFolder, pod+".yaml") }

// Manifests tells kubelets of changes in the folder of manifests of their node, as the kernel does (inotify): virtual time does not pass
// over a system call that waits for a file.
type Manifests struct {
	mu      sync.Mutex
	watches []chan struct{}
}

// Changed tells that somebody has changed a file.
func (m *Manifests) Changed() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, watch := range m.watches {
		select {
		case watch <- struct{}{}:
		default: // it has not looked since the change before
		}
	}
}

// watch returns what gets a value when a file changes, until ctx ends.
func (m *Manifests) watch(ctx context.Context) <-chan struct{} {
	watch := make(chan struct{}, 1)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.watches = append(m.watches, watch)
	context.AfterFunc(ctx, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.watches = slices.DeleteFunc(m.watches, func(other chan struct{}) bool { return other == watch })
	})
	return watch
}

// sourceUpdate is what a source of Pods sends: that of upstream's package.
type sourceUpdate struct{ Pods []*corev1.Pod }

// newSourceFile returns upstream's source of static Pods, which nobody has started.
//
//go:linkname newSourceFile k8s.io/kubernetes/pkg/kubelet/config.newSourceFile
func newSourceFile(path string, node types.NodeName, period time.Duration, updates chan<- sourceUpdate) unsafe.Pointer

// listConfig makes such a source read all manifests.
//
//go:linkname listConfig k8s.io/kubernetes/pkg/kubelet/config.(*sourceFile).listConfig
func listConfig(source unsafe.Pointer, logger klog.Logger) error

// addStaticPods makes a kubelet run the Pods of the manifests of its node. It does what NewSourceFile does of upstream's package, with
// another watch of the folder. It must be called before the kubelet runs.
func addStaticPods(ctx context.Context, with *kubelet.Dependencies, node string, config *Configuration, manifests *Manifests) {
	channel := with.PodConfig.Channel(ctx, kubelettypes.FileSource)
	updates := *(*chan<- sourceUpdate)(unsafe.Pointer(&channel))
	period := config.FileCheckFrequency.Duration
	source, logger := newSourceFile(manifestFolder, types.NodeName(node), period, updates), klog.FromContext(ctx)
	changes := manifests.watch(ctx)
	go func() {
		ticker := time.NewTicker(period)
		defer ticker.Stop()
		for {
			if err := listConfig(source, logger); err != nil {
				logger.Error(err, "Unable to read config path", "path", manifestFolder)
			}
			select {
			case <-ticker.C:
			case <-changes:
			case <-ctx.Done():
				return
			}
		}
	}()
}

// Pod returns a Pod of the kubelet, also one that the API server does not know; nil if there is none.
func (k *Kubelet) Pod(namespace, name string) *corev1.Pod {
	pod, found := k.upstream.GetPodByName(namespace, name)
	if !found {
		return nil
	}
	return pod.DeepCopy()
}
