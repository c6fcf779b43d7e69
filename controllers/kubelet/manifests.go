//go:build linux

package kubelet

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/kubelet"

	"github.com/kubestep/kubestep/controllers/kubelet/internal/kubeletapi"
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

// addStaticPods makes a kubelet run the Pods of the manifests of its node. It does what NewSourceFile does of upstream's package, with
// another watch of the folder. It must be called before the kubelet runs.
func addStaticPods(ctx context.Context, with *kubelet.Dependencies, node string, config *Configuration, manifests *Manifests) {
	period, logger := config.FileCheckFrequency.Duration, klog.FromContext(ctx)
	list := kubeletapi.StaticPods(ctx, with.PodConfig, manifestFolder, node, period)
	changes := manifests.watch(ctx)
	go func() {
		ticker := time.NewTicker(period)
		defer ticker.Stop()
		for {
			if err := list(logger); err != nil {
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
