package cri

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
)

// stats are those of a container that runs. The caller holds the lock.
func (r *Runtime) stats(c *container, now time.Time) *runtimeapi.ContainerStats {
	at := now.UnixNano()
	value := func(n uint64) *runtimeapi.UInt64Value { return &runtimeapi.UInt64Value{Value: n} }
	memory := uint64(c.memory(now))
	return &runtimeapi.ContainerStats{
		Attributes: &runtimeapi.ContainerAttributes{
			Id: c.id, Metadata: c.config.Metadata, Labels: c.config.Labels, Annotations: c.config.Annotations,
		},
		Cpu: &runtimeapi.CpuUsage{Timestamp: at, UsageCoreNanoSeconds: value(0), UsageNanoCores: value(0)},
		Memory: &runtimeapi.MemoryUsage{
			Timestamp: at, WorkingSetBytes: value(memory), UsageBytes: value(memory), RssBytes: value(memory),
		},
		WritableLayer: r.filesystem(c, now),
	}
}

// ContainerStats implements RuntimeService.
func (r *Runtime) ContainerStats(_ context.Context, id string) (*runtimeapi.ContainerStats, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.containers.byID[id]
	if c == nil {
		return nil, errNoContainer
	}
	return r.stats(c, time.Now()), nil
}

// ListContainerStats implements RuntimeService.
func (r *Runtime) ListContainerStats(
	_ context.Context, filter *runtimeapi.ContainerStatsFilter,
) (list []*runtimeapi.ContainerStats, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	r.containers.all(func(c *container) {
		err = errors.Join(err, r.write(c)) // the kubelet measures logs next
		if c.runs(now) && (filter.GetId() == "" || filter.GetId() == c.id) &&
			(filter.GetPodSandboxId() == "" || filter.GetPodSandboxId() == c.sandbox) &&
			matches(c.config.Labels, filter.GetLabelSelector()) {
			list = append(list, r.stats(c, now))
		}
	})
	return list, err
}

// PodSandboxStats implements RuntimeService.
func (r *Runtime) PodSandboxStats(_ context.Context, id string) (*runtimeapi.PodSandboxStats, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.sandboxes.byID[id]
	if s == nil {
		return nil, errNoContainer
	}
	return r.podStats(s), nil
}

// podStats are those of a sandbox and its containers.
func (r *Runtime) podStats(s *sandbox) *runtimeapi.PodSandboxStats {
	now := time.Now()
	linux := &runtimeapi.LinuxPodSandboxStats{}
	var memory uint64
	for _, c := range r.containersOf(s.id) {
		if c.runs(now) {
			linux.Containers = append(linux.Containers, r.stats(c, now))
			memory += uint64(c.memory(now))
		}
	}
	linux.Memory = &runtimeapi.MemoryUsage{Timestamp: now.UnixNano(), WorkingSetBytes: &runtimeapi.UInt64Value{Value: memory}}
	return &runtimeapi.PodSandboxStats{
		Attributes: &runtimeapi.PodSandboxAttributes{
			Id: s.id, Metadata: s.config.Metadata, Labels: s.config.Labels, Annotations: s.config.Annotations,
		},
		Linux: linux,
	}
}

// ListPodSandboxStats implements RuntimeService.
func (r *Runtime) ListPodSandboxStats(
	_ context.Context, filter *runtimeapi.PodSandboxStatsFilter,
) (list []*runtimeapi.PodSandboxStats, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sandboxes.all(func(s *sandbox) {
		if !s.stopped && (filter.GetId() == "" || filter.GetId() == s.id) && matches(s.config.Labels, filter.GetLabelSelector()) {
			list = append(list, r.podStats(s))
		}
	})
	return list, nil
}

// ListMetricDescriptors implements RuntimeService.
func (r *Runtime) ListMetricDescriptors(context.Context) ([]*runtimeapi.MetricDescriptor, error) {
	return nil, nil
}

// ListPodSandboxMetrics implements RuntimeService.
func (r *Runtime) ListPodSandboxMetrics(context.Context) ([]*runtimeapi.PodSandboxMetrics, error) {
	return nil, nil
}

// MemoryUsed is how many bytes all containers use.
func (r *Runtime) MemoryUsed() (used uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	for _, c := range r.containers.byID {
		if c.runs(now) {
			used += uint64(c.memory(now))
		}
	}
	return used
}

// Used is what the containers of a Pod that run use, by their names: the processor and memory, as the kubelet's summary has it.
func (r *Runtime) Used(uid string) map[string]corev1.ResourceList {
	r.mu.Lock()
	defer r.mu.Unlock()
	now, used := time.Now(), map[string]corev1.ResourceList{}
	r.containers.all(func(c *container) {
		if s := r.sandboxes.byID[c.sandbox]; s == nil || s.config.GetMetadata().GetUid() != uid || !c.runs(now) {
			return
		}
		stats := r.stats(c, now)
		used[c.config.GetMetadata().GetName()] = corev1.ResourceList{
			corev1.ResourceCPU: *resource.NewScaledQuantity(int64(stats.GetCpu().GetUsageNanoCores().GetValue()), resource.Nano),
			corev1.ResourceMemory: *resource.NewQuantity(
				int64(stats.GetMemory().GetWorkingSetBytes().GetValue()), resource.BinarySI),
		}
	})
	return used
}
