//go:build linux

package kubelet

import (
	"context"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
)

// ResourceProcesses is the resource of processes, as the eviction manager calls it.
const ResourceProcesses corev1.ResourceName = "pids"

// Usage is what each Pod uses of a resource, as the kubelet measures it for evictions.
func (k *Kubelet) Usage(of corev1.ResourceName) (map[types.NamespacedName]int64, error) {
	stats, err := k.upstream.ListPodStats(klog.NewContext(context.Background(), logr.Discard()))
	if err != nil {
		return nil, err
	}
	usage := map[types.NamespacedName]int64{}
	for _, pod := range stats {
		name := types.NamespacedName{Namespace: pod.PodRef.Namespace, Name: pod.PodRef.Name}
		switch {
		case of == corev1.ResourceEphemeralStorage && pod.EphemeralStorage != nil && pod.EphemeralStorage.UsedBytes != nil:
			usage[name] += int64(*pod.EphemeralStorage.UsedBytes)
		case of == corev1.ResourceMemory && pod.Memory != nil && pod.Memory.WorkingSetBytes != nil:
			usage[name] += int64(*pod.Memory.WorkingSetBytes)
		case of == ResourceProcesses && pod.ProcessStats != nil && pod.ProcessStats.ProcessCount != nil:
			usage[name] += int64(*pod.ProcessStats.ProcessCount)
		}
	}
	return usage, nil
}
