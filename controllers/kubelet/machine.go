//go:build linux && !kubernetes_before_1_37

package kubelet

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	cadvisorapi "github.com/google/cadvisor/lib/model"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/klog/v2"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
	"k8s.io/kubernetes/pkg/kubelet/cm"

	"github.com/kubestep/kubestep/sim/cluster/cri"
)

// What the machine of a node calls itself.
const (
	kernel = "6.12.0"
	system = "kubestep"
)

// The disk of a node: 100 GiB, and an inode for each 16 KiB, as ext4 makes them.
const (
	diskSize   = 100 << 30
	diskInodes = diskSize / (16 << 10)
)

// root is the folder of a kubelet's files on its node, by upstream's default.
const root = "/var/lib/kubelet"

// WriteMachine writes the files that a kubelet reads of its machine, as they are on each node, to a folder, and makes the folders that are
// there before it.
func WriteMachine(folder string, booted time.Time) error {
	for _, name := range []string{root, "/tmp", "/var/log"} {
		if err := os.MkdirAll(filepath.Join(folder, name), 0o700); err != nil {
			return err
		}
	}
	for name, text := range map[string]string{
		"/etc/hosts":                 "127.0.0.1\tlocalhost\n",
		"/etc/passwd":                "root:x:0:0:root:/root:/bin/sh\n",
		"/proc/stat":                 fmt.Sprintf("btime %d\n", booted.Unix()),
		"/proc/loadavg":              "0.00 0.00 0.00 1/200 1000\n",
		"/proc/swaps":                "Filename\tType\tSize\tUsed\tPriority\n",
		"/proc/sys/kernel/osrelease": kernel + "\n",
		"/proc/sys/kernel/pid_max":   "4194304\n",
	} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// hardware is the machine of a node as cAdvisor reports it.
type hardware struct {
	node    string
	cpus    int
	memory  uint64
	runtime cri.Connection
}

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

// disk is the only file system of the node.
func (h *hardware) disk() cadvisorapi.FsInfo {
	inodes, used := uint64(diskInodes), h.runtime.ImagesSize()
	return cadvisorapi.FsInfo{
		Timestamp: time.Now(), Device: "/dev/vda", Mountpoint: "/", Capacity: diskSize, Available: diskSize - used, Usage: used,
		Inodes: &inodes, InodesFree: &inodes,
	}
}

// ImagesFsInfo implements cadvisor.Interface.
func (h *hardware) ImagesFsInfo(context.Context) (cadvisorapi.FsInfo, error) { return h.disk(), nil }

// RootFsInfo implements cadvisor.Interface.
func (h *hardware) RootFsInfo() (cadvisorapi.FsInfo, error) { return h.disk(), nil }

// ContainerFsInfo implements cadvisor.Interface.
func (h *hardware) ContainerFsInfo(context.Context) (cadvisorapi.FsInfo, error) { return h.disk(), nil }

// GetDirFsInfo implements cadvisor.Interface.
func (h *hardware) GetDirFsInfo(string) (cadvisorapi.FsInfo, error) { return h.disk(), nil }

// ContainerInfoV2 implements cadvisor.Interface: the cgroup at the root, whose memory is that of the node, and the one of all Pods.
// Programs alone use memory.
func (h *hardware) ContainerInfoV2(name string, _ cadvisorapi.RequestOptions) (map[string]cadvisorapi.ContainerInfo, error) {
	if name != "/" && name != podCgroup {
		return map[string]cadvisorapi.ContainerInfo{}, nil
	}
	used := min(h.memory, h.runtime.MemoryUsed()) // a kernel has no more to give
	return map[string]cadvisorapi.ContainerInfo{name: {
		Spec: cadvisorapi.ContainerSpec{HasMemory: true, HasCpu: true, Memory: cadvisorapi.MemorySpec{Limit: h.memory}},
		Stats: []*cadvisorapi.ContainerStats{{
			Timestamp: time.Now(), Cpu: &cadvisorapi.CpuStats{}, CpuInst: &cadvisorapi.CpuInstStats{},
			Memory: &cadvisorapi.MemoryStats{Usage: used, WorkingSet: used, RSS: used},
		}},
	}}, nil
}

// GetRequestedContainersInfo implements cadvisor.Interface.
func (h *hardware) GetRequestedContainersInfo(
	string, cadvisorapi.RequestOptions,
) (map[string]*cadvisorapi.ContainerInfo, error) {
	return map[string]*cadvisorapi.ContainerInfo{}, nil
}

// podCgroup is the cgroup of all Pods, which exists as a number only.
const podCgroup = "/kubepods"

// withoutCgroups is upstream's stub of the container manager with the disk of the node, and what is reserved of it.
type withoutCgroups struct {
	cm.ContainerManager
	reserved corev1.ResourceList
}

// GetNodeAllocatableReservation implements cm.ContainerManager.
func (c withoutCgroups) GetNodeAllocatableReservation() corev1.ResourceList { return c.reserved }

// GetPodCgroupRoot implements cm.ContainerManager.
func (withoutCgroups) GetPodCgroupRoot() string { return podCgroup }

// NewPodContainerManager implements cm.ContainerManager.
func (c withoutCgroups) NewPodContainerManager() cm.PodContainerManager {
	return withoutPodCgroups{c.ContainerManager.NewPodContainerManager()}
}

// withoutPodCgroups is upstream's stub, in which Pods have no limits of their own.
type withoutPodCgroups struct{ cm.PodContainerManager }

// cpuPeriod is the kernel's default, in microseconds.
const cpuPeriod = 100_000

// GetPodCgroupConfig implements cm.PodContainerManager: what upstream would write to the cgroup of the Pod. A value that it leaves out is
// that of a new cgroup.
func (withoutPodCgroups) GetPodCgroupConfig(pod *corev1.Pod, _ corev1.ResourceName) (*cm.ResourceConfig, error) {
	config := cm.ResourceConfigForPod(pod, true, cpuPeriod, false, kubeletconfig.NoneMemoryReservationPolicy)
	config.Memory = cmp.Or(config.Memory, new(int64))
	config.CPUShares = cmp.Or(config.CPUShares, new(uint64))
	config.CPUPeriod = cmp.Or(config.CPUPeriod, new(uint64))
	config.CPUQuota = cmp.Or(config.CPUQuota, new(int64))
	return config, nil
}

// SetPodCgroupConfig implements cm.PodContainerManager.
func (withoutPodCgroups) SetPodCgroupConfig(klog.Logger, *corev1.Pod, *cm.ResourceConfig) error {
	return nil
}

// GetCapacity implements cm.ContainerManager.
func (withoutCgroups) GetCapacity(klog.Logger, bool) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceEphemeralStorage: *resource.NewQuantity(diskSize, resource.BinarySI)}
}

// NoPlugins returns what makes the watcher of plugins of a kubelet that starts give up: the watcher would wait for files of the machine
// (inotify), over which no virtual time passes. It finds a file where it looks for its folder. The kubelet makes the folder first, and
// starts the watcher when the runtime is ready, so the runtime replaces it between the two (cri.Runtime.For).
func NoPlugins() func() {
	registry, done := filepath.Join(root, "plugins_registry"), false
	if isFile(registry) {
		_ = os.Remove(registry) // of the kubelet before, which crashed
	}
	return func() {
		if done || isFile(registry) {
			return
		}
		done = os.Remove(registry) == nil && os.WriteFile(registry, nil, 0o600) == nil
	}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
