//go:build linux && !kubernetes_before_1_37

package kubelet

import (
	"context"
	"math"
	"path"
	"time"

	cadvisorapi "github.com/google/cadvisor/lib/model"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/kubelet/cadvisor"
)

// hardware is the machine of a node as cAdvisor reports it.
type hardware struct{ machine }

// newHardware returns what a kubelet asks of cAdvisor.
func newHardware(m machine) cadvisor.Interface { return &hardware{m} }

// Start implements cadvisor.Interface.
func (h *hardware) Start() error { return nil }

// MachineInfo implements cadvisor.Interface.
func (h *hardware) MachineInfo(klog.Logger) (*cadvisorapi.MachineInfo, error) {
	return &cadvisorapi.MachineInfo{
		NumCores: h.cpus, NumPhysicalCores: h.cpus, NumSockets: 1, MemoryCapacity: h.memory,
		MachineID: h.node, SystemUUID: h.node, BootID: h.node,
	}, nil
}

// VersionInfo implements cadvisor.Interface.
func (h *hardware) VersionInfo() (*cadvisorapi.VersionInfo, error) {
	return &cadvisorapi.VersionInfo{KernelVersion: kernel, ContainerOsVersion: system}, nil
}

// fileSystem is the only one of the node. Who writes when it is full gets an error.
func (h *hardware) fileSystem() cadvisorapi.FsInfo {
	inodes, used := h.disk/inodeSize, min(h.disk, h.runtime.DiskUsed())
	return cadvisorapi.FsInfo{
		Timestamp: time.Now(), Device: "/dev/vda", Mountpoint: "/", Capacity: h.disk, Available: h.disk - used, Usage: used,
		Inodes: &inodes, InodesFree: &inodes,
	}
}

// ImagesFsInfo implements cadvisor.Interface.
func (h *hardware) ImagesFsInfo(context.Context) (cadvisorapi.FsInfo, error) {
	return h.fileSystem(), nil
}

// RootFsInfo implements cadvisor.Interface.
func (h *hardware) RootFsInfo() (cadvisorapi.FsInfo, error) { return h.fileSystem(), nil }

// ContainerFsInfo implements cadvisor.Interface.
func (h *hardware) ContainerFsInfo(context.Context) (cadvisorapi.FsInfo, error) {
	return h.fileSystem(), nil
}

// GetDirFsInfo implements cadvisor.Interface.
func (h *hardware) GetDirFsInfo(string) (cadvisorapi.FsInfo, error) { return h.fileSystem(), nil }

// ContainerInfoV2 implements cadvisor.Interface: the cgroup at the root, whose memory is that of the node, the one of all Pods, and with
// the first one those of containers. Programs alone use memory.
func (h *hardware) ContainerInfoV2(name string, o cadvisorapi.RequestOptions) (map[string]cadvisorapi.ContainerInfo, error) {
	if name != "/" && name != podCgroup {
		return map[string]cadvisorapi.ContainerInfo{}, nil
	}
	used := min(h.memory, h.runtime.MemoryUsed()) // a kernel has no more to give
	out := map[string]cadvisorapi.ContainerInfo{name: cgroupInfo(used, h.memory)}
	if name != "/" || !o.Recursive {
		return out, nil
	}
	for _, c := range h.runtime.Cgroups() {
		info := cgroupInfo(c.Memory, math.MaxUint64)
		info.Spec.Labels = c.Labels
		info.Stats[0].Processes = &cadvisorapi.ProcessStats{ProcessCount: c.Processes}
		out[path.Join(podCgroup, "pod"+c.Pod, c.ID)] = info
	}
	return out, nil
}

// cgroupInfo is what cAdvisor reports of a cgroup.
func cgroupInfo(used, limit uint64) cadvisorapi.ContainerInfo {
	return cadvisorapi.ContainerInfo{
		Spec: cadvisorapi.ContainerSpec{HasMemory: true, HasCpu: true, Memory: cadvisorapi.MemorySpec{Limit: limit}},
		Stats: []*cadvisorapi.ContainerStats{{
			Timestamp: time.Now(), Cpu: &cadvisorapi.CpuStats{}, CpuInst: &cadvisorapi.CpuInstStats{},
			Memory: &cadvisorapi.MemoryStats{Usage: used, WorkingSet: used, RSS: used},
		}},
	}
}

// GetRequestedContainersInfo implements cadvisor.Interface.
func (h *hardware) GetRequestedContainersInfo(
	string, cadvisorapi.RequestOptions,
) (map[string]*cadvisorapi.ContainerInfo, error) {
	return map[string]*cadvisorapi.ContainerInfo{}, nil
}

// GetCapacity implements cm.ContainerManager.
func (c withoutCgroups) GetCapacity(klog.Logger, bool) corev1.ResourceList { return c.capacity() }
