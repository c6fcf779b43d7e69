//go:build linux

package kubelet

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/kubernetes/pkg/kubelet/cm"

	"github.com/kubestep/kubestep/controllers/kubelet/internal/kubeletapi"
	"github.com/kubestep/kubestep/sim/cluster/cri"
)

// What the machine of a node calls itself.
const (
	kernel = "6.12.0"
	system = "kubestep"
)

// inodeSize is for how many bytes a disk has an inode, as ext4 makes them.
const inodeSize = 16 << 10

// The limits of processes of a node: pid_max is that of systemd, and the kernel allows for one thread for each 128 KiB of memory. A node
// without Pods has some.
const (
	pidMax          = 4194304
	memoryOfThread  = 128 << 10
	processesOfNode = 200
)

// loadFile is the file of the kernel that has the number of processes.
const loadFile = "/proc/loadavg"

// threadsFile has the limit of threads.
const threadsFile = "/proc/sys/kernel/threads-max"

// load is its text.
func load(processes uint64) string { return fmt.Sprintf("0.00 0.00 0.00 1/%d 1000\n", processes) }

// root is the folder of a kubelet's files on its node, by upstream's default.
const root = "/var/lib/kubelet"

// WriteMachine writes the files that a kubelet reads of its machine, as they are on each node, to a folder, and makes the folders that are
// there before it.
func WriteMachine(folder string, booted time.Time, memory uint64) error {
	for _, name := range []string{root, "/tmp", "/var/log"} {
		if err := os.MkdirAll(filepath.Join(folder, name), 0o700); err != nil {
			return err
		}
	}
	for name, text := range map[string]string{
		"/etc/hosts":                 "127.0.0.1\tlocalhost\n",
		"/etc/passwd":                "root:x:0:0:root:/root:/bin/sh\n",
		"/proc/stat":                 fmt.Sprintf("btime %d\n", booted.Unix()),
		loadFile:                     load(processesOfNode),
		"/proc/swaps":                "Filename\tType\tSize\tUsed\tPriority\n",
		"/proc/sys/kernel/osrelease": kernel + "\n",
		"/proc/sys/kernel/pid_max":   fmt.Sprintf("%d\n", pidMax),
		threadsFile:                  fmt.Sprintf("%d\n", memory/memoryOfThread),
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

// machine is what a node has, besides its files.
type machine struct {
	node    string
	cpus    int
	memory  uint64
	disk    uint64
	runtime cri.Connection
}

// podCgroup is the cgroup of all Pods, which exists as a number only.
const podCgroup = "/kubepods"

// withoutCgroups is upstream's stub of the container manager with the disk of the node, what is reserved of it, and what all
// Pods together may use.
type withoutCgroups struct {
	cm.ContainerManager
	reserved, allocatable corev1.ResourceList
	disk                  uint64
}

// GetNodeAllocatableReservation implements cm.ContainerManager.
func (c withoutCgroups) GetNodeAllocatableReservation() corev1.ResourceList { return c.reserved }

// GetNodeAllocatableAbsolute implements cm.ContainerManager. Until Kubernetes 1.35, a kubelet refuses a resize that is larger.
func (c withoutCgroups) GetNodeAllocatableAbsolute() corev1.ResourceList {
	return c.allocatable.DeepCopy()
}

// GetPodCgroupRoot implements cm.ContainerManager.
func (withoutCgroups) GetPodCgroupRoot() string { return podCgroup }

// NewPodContainerManager implements cm.ContainerManager.
func (c withoutCgroups) NewPodContainerManager() cm.PodContainerManager {
	return withoutPodCgroups{kubeletapi.PodCgroups{PodContainerManager: c.ContainerManager.NewPodContainerManager()}}
}

// withoutPodCgroups is upstream's stub, in which Pods have no limits of their own.
type withoutPodCgroups struct{ kubeletapi.PodCgroups }

// cpuPeriod is the kernel's default, in microseconds.
const cpuPeriod = 100_000

// GetPodCgroupConfig implements cm.PodContainerManager: what upstream would write to the cgroup of the Pod. A value that it leaves out is
// that of a new cgroup.
func (withoutPodCgroups) GetPodCgroupConfig(pod *corev1.Pod, _ corev1.ResourceName) (*cm.ResourceConfig, error) {
	config := kubeletapi.ResourceConfig(pod, cpuPeriod)
	config.Memory = cmp.Or(config.Memory, new(int64))
	config.CPUShares = cmp.Or(config.CPUShares, new(uint64))
	config.CPUPeriod = cmp.Or(config.CPUPeriod, new(uint64))
	config.CPUQuota = cmp.Or(config.CPUQuota, new(int64))
	return config, nil
}

// capacity is what the container manager knows of the node.
func (c withoutCgroups) capacity() corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceEphemeralStorage: *resource.NewQuantity(int64(c.disk), resource.BinarySI)}
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

// BeforeReading writes the file of the kernel that has the number of processes of a node, if name is that file.
func BeforeReading(name, onMachine string, runtime *cri.Runtime) {
	if name == loadFile {
		_ = os.WriteFile(onMachine, []byte(load(processesOfNode+runtime.Processes())), 0o600)
	}
}
